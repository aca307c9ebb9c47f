import { describe, expect, test } from 'vitest';
import type { SceneWish } from '../gateway/handlers/parts.ts';
import type { DecimalText } from '../kernel/decimal-text.ts';
import type { SceneName } from '../messages/scenes.ts';
import { sceneCommand } from './scene-wishes.ts';

const noFeeds = {
  keep: (): never => {
    throw new Error('no file was given');
  },
};

const wish = (name: SceneName, amount: string, negative = false): SceneWish => ({
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  name,
  percent: { amount: amount as DecimalText, negative },
});
const asked = (...said: Parameters<typeof wish>): ReturnType<typeof sceneCommand> => sceneCommand(wish(...said), noFeeds);

describe('how far a scene goes', () => {
  test.each([
    ['0', false, true],
    ['0.0', true, true],
    ['0.1', true, true],
    ['0.1', false, false],
  ])('[MKT-13] one-sided by %s, below zero %s: nobody bids %s', (amount, negative, down) => {
    expect(asked('oneSided', amount, negative)).toMatchObject({ ok: true, value: { down } });
  });

  test('[MKT-10] no way at all is not the usual one', () => {
    expect(asked('trend', '0')).toMatchObject({ ok: true, value: { percent: '0' } });
  });

  test.each(['calm', 'frozenFeed', 'halt', 'feed'] as const)(
    '[MKT-10] %s goes nowhere, and nobody is let to think that it does',
    (name) => {
      expect(asked(name, '0.1')).toMatchObject({ ok: false, refusal: { reason: 'fieldInvalid', field: 'percent' } });
      if (name !== 'feed') expect(asked(name, '0')).toMatchObject({ ok: true, value: { name } });
    },
  );
});
