import fc from 'fast-check';
import { expect, test } from 'vitest';
import { heapPop, heapPush } from './heap.ts';

const before = (left: number, right: number): boolean => left < right;

test('[CLK-08] items come out in order, also when pushes and pops alternate', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer(), { nil: undefined })), (steps) => {
      const heap: number[] = [];
      let model: number[] = [];
      for (const step of steps) {
        if (step === undefined) {
          expect(heapPop(heap, before)).toBe(model[0]);
          model = model.slice(1);
        } else {
          heapPush(heap, step, before);
          model = [...model, step].sort((left, right) => left - right);
        }
        expect(heap.length).toBe(model.length);
      }
      for (const item of model) expect(heapPop(heap, before)).toBe(item);
      expect(heapPop(heap, before)).toBeUndefined();
    }),
  );
});
