import { describe, expect, test } from 'vitest';
import { JsonNumber, type Raw } from '../../contract/raw.ts';
import type { Uid } from '../../kernel/ids.ts';
import type { Timestamp } from '../../kernel/time.ts';
import { askedItems, asksForList, outcomesOf } from './call-content.ts';
import { ATTEMPTS_KEPT_MAX, INTENTS_MAX, Intents } from './intents.ts';

const rawOf = (fields: Readonly<Record<string, Raw>>): Raw => new Map(Object.entries(fields));
const call = (at: number, faults: readonly string[] = []) => ({
  uid: 1 as Uid,
  name: 'placeOrder',
  at: at as Timestamp,
  faults,
});

describe('the items of a call', () => {
  test('[FLT-21] field order, number spelling and absent fields make no difference; other changes do', () => {
    const [first] = askedItems(rawOf({ symbol: 'BTCUSDT', qty: '0.1', clientOid: 'a', price: '' }));
    const [again] = askedItems(
      rawOf({ qty: new JsonNumber('0.1'), symbol: 'BTCUSDT', clientOid: 'b' }),
    );
    const [other] = askedItems(rawOf({ symbol: 'BTCUSDT', qty: '0.2', clientOid: 'a' }));
    expect(first).toEqual({ clientOid: 'a', content: again!.content });
    expect(other!.content).not.toBe(first!.content);
  });

  test('[FLT-21] a take-profit and a stop-loss may have new names and still be the same request', () => {
    const [first] = askedItems(
      rawOf({ symbol: 'BTCUSDT', stopSurplusClientOid: 'gain', stopLossClientOid: 'loss' }),
    );
    const [again] = askedItems(
      rawOf({ symbol: 'BTCUSDT', stopSurplusClientOid: 'gain2', stopLossClientOid: 'loss2' }),
    );
    expect([first!.clientOid, again!.content]).toEqual(['gain', first!.content]);
    expect(askedItems(rawOf({ symbol: 'BTCUSDT', stopLossClientOid: 'loss' }))).toEqual([
      { clientOid: 'loss', content: first!.content },
    ]);
  });

  test.each(['placeSpotOrder', 'cancelSpotOrder'])(
    '[FLT-153] the same request %s again is a later attempt',
    (name) => {
      const input = { symbol: 'BTCUSDT', orderId: '7' };
      const [first] = askedItems(
        rawOf({ ...input, requestTime: '1700000000000', receiveWindow: '5000' }),
        name,
      );
      const [again] = askedItems(
        rawOf({ ...input, requestTime: '1700000005000', receiveWindow: '9000' }),
        name,
      );
      expect([first, again]).toEqual(
        askedItems(rawOf(input), name).flatMap((item) => [item, item]),
      );
    },
  );

  test.each(['cancelOrder', 'changeTriggerOrder'])(
    '[FLT-153] %s with another name is another intent',
    (name) => {
      const [first] = askedItems(rawOf({ clientOid: 'a' }), name);
      const [other] = askedItems(rawOf({ clientOid: 'b' }), name);
      const [again] = askedItems(rawOf({ clientOid: 'a' }), name);
      expect(other!.content).not.toBe(first!.content);
      expect(again).toEqual(first);
    },
  );

  test('[FLT-24] orders of a batch share the fields given for the whole batch', () => {
    const list = (symbol: string): Raw =>
      rawOf({ symbol, orderList: [rawOf({ size: '1', clientOid: 'a' }), rawOf({ size: '1' })] });
    const [first, second] = askedItems(list('BTCUSDT'));
    expect(first!.content).toBe(second!.content);
    expect(askedItems(list('ETHUSDT'))[0]!.content).not.toBe(first!.content);
    expect([asksForList(list('BTCUSDT')), asksForList(rawOf({ size: '1' }))]).toEqual([
      true,
      false,
    ]);
  });

  test('[FLT-22] an outcome may be an order without an id, a refused row or an empty list', () => {
    const item = { clientOid: 'a', content: '' };
    expect(outcomesOf({ orderId: null, clientOid: 'a' }, [item], false)).toEqual([
      { made: [{ id: null, clientOid: 'a' }], happened: true },
    ]);
    expect(outcomesOf([{ orderId: '', clientOid: 'a', code: '25208' }], [item], true)).toEqual([
      { made: [], happened: false },
    ]);
    const replaced = { orderId: '1', clientOid: 'a', msg: null };
    expect(outcomesOf([{ ...replaced, success: 'failure' }], [item], true)).toEqual([
      { made: [], happened: false },
    ]);
    expect(outcomesOf([{ ...replaced, success: 'success' }], [item], true)).toMatchObject([
      { happened: true },
    ]);
    expect(outcomesOf({ list: [] }, [item], false)).toEqual([{ made: [], happened: false }]);
    expect(outcomesOf(null, [item], false)).toEqual([{ made: [], happened: true }]);
  });
});

describe('intents', () => {
  test('[FLT-20] a call that no fault has affected has no intent', () => {
    const intents = new Intents();
    expect(intents.attempt(call(0), [{ clientOid: 'a', content: 'x' }])).toEqual([undefined]);
    expect(intents.size).toBe(0);
  });

  test('[FLT-20] the oldest intents are forgotten, with their names and orders', () => {
    const intents = new Intents();
    const [first] = intents.attempt(call(0, ['1']), [{ clientOid: 'first', content: 'first' }]);
    intents.note(first!, {
      made: [{ id: '1000000000000000042', clientOid: 'first' }],
      happened: true,
    });
    expect(intents.ofOrder('1000000000000000042')).toBe(first);
    for (let at = 0; at < INTENTS_MAX; at++)
      intents.attempt(call(0, ['1']), [{ clientOid: `n${at}`, content: `n${at}` }]);
    expect(intents.size).toBe(INTENTS_MAX);
    expect(intents.ofOrder('1000000000000000042')).toBeUndefined();
    expect(intents.attempt(call(0), [{ clientOid: 'first', content: 'first' }])).toEqual([
      undefined,
    ]);
  });

  test('[FLT-22] effects without an id are counted per execution, also if attempts overlap', () => {
    const intents = new Intents();
    const attempts = [0, 1].map(
      (at) => intents.attempt(call(at, ['1']), [{ clientOid: '', content: 'add margin' }])[0]!,
    );
    for (const intent of attempts) intents.note(intent, { made: [], happened: true });
    expect(intents.all().map(({ effects }) => effects.length)).toEqual([2]);
  });

  test('[FLT-22] an endlessly repeated intent stores a bounded number of names and effects', () => {
    const intents = new Intents();
    for (let at = 0; at < ATTEMPTS_KEPT_MAX + 10; at++) {
      const [intent] = intents.attempt(call(at, ['1']), [{ clientOid: `n${at}`, content: 'same' }]);
      intents.note(intent!, { made: [{ id: String(at), clientOid: `n${at}` }], happened: true });
    }
    const [intent] = intents.all();
    expect(intent).toMatchObject({ attempts: ATTEMPTS_KEPT_MAX + 10, clientOid: 'n0' });
    expect([intent!.effects.length, intent!.clientOids.size]).toEqual([
      ATTEMPTS_KEPT_MAX,
      ATTEMPTS_KEPT_MAX,
    ]);
  });
});
