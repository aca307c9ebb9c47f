import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { sceneWords } from '../contract/wire-words.ts';
import type { SceneRequest } from '../gateway/handlers/parts.ts';
import type { DecimalText } from '../kernel/decimal-text.ts';
import type { SceneName } from '../messages/scenes.ts';
import { PriceFeeds } from './price-feeds.ts';
import { sceneCommand } from './scene-requests.ts';

const noFeeds = {
  keep: (): never => {
    throw new Error('no file was given');
  },
};

const request = (name: SceneName, amount: string, negative = false): SceneRequest => ({
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  name,
  percent: { amount: amount as DecimalText, negative },
});
const asked = (...input: Parameters<typeof request>): ReturnType<typeof sceneCommand> =>
  sceneCommand(request(...input), noFeeds);

describe('the size of a scene', () => {
  test.each([
    ['0', false, true],
    ['0.0', true, true],
    ['0.1', true, true],
    ['0.1', false, false],
  ])('[MKT-13] one-sided by %s, negative %s: the market bids %s', (amount, negative, down) => {
    expect(asked('oneSided', amount, negative)).toMatchObject({ ok: true, value: { down } });
  });

  test('[MKT-10] a zero percent is not the default percent', () => {
    expect(asked('trend', '0')).toMatchObject({ ok: true, value: { percent: '0' } });
  });

  test.each(['calm', 'frozenFeed', 'halt', 'feed'] as const)(
    '[MKT-152] %s takes no percent other than 0',
    (name) => {
      expect(asked(name, '0.1')).toMatchObject({
        ok: false,
        refusal: { reason: 'fieldInvalid', field: 'percent' },
      });
      if (name !== 'feed') expect(asked(name, '0')).toMatchObject({ ok: true, value: { name } });
    },
  );
});

describe('scene defaults', () => {
  const document = readFileSync(new URL('../../docs/rules/market.md', import.meta.url), 'utf8');
  const emitted = [
    ...document.matchAll(/^\| `([a-z-]+)` \| (\S+?)(?:: [^|]*)? \| (\d+)? ?([^|]*) \|$/gm),
  ].map(([, ...cells]) => cells);
  const inWords = (ms: string): string => {
    const seconds = Number.parseInt(ms, 10) / 1_000;
    const [count, unit] = seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second'];
    return `(${count} ${unit}${count === 1 ? '' : 's'})`;
  };

  test('[MKT-10] the table has every scene', () => {
    expect(emitted.map(([name]) => name)).toEqual(Object.keys(sceneWords));
  });

  test.each(emitted.filter(([name]) => name !== 'feed'))(
    '[MKT-10] %s goes %s percent in %s ms',
    (name, percent, durationMs, duration) => {
      const { percent: _, ...nothingGiven } = request(
        sceneWords[name as keyof typeof sceneWords],
        '0',
      );
      const usual = sceneCommand(nothingGiven, noFeeds);
      const [amount, down] =
        percent === 'none'
          ? ['0', false]
          : [percent!.replace('-', ''), percent!.startsWith('-') || name === 'one-sided'];
      expect(usual).toMatchObject({
        ok: true,
        value: { percent: amount, down, durationMs: Number.parseInt(durationMs!, 10) },
      });
      expect(duration).toBe(inWords(durationMs!));
    },
  );
});

describe('price files of scenes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-scenes-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const feeds = new PriceFeeds(
    folder,
    () => false,
    () => 0,
  );
  const inFile = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const A_MINUTE = 'time,price\n1600000000,61000\n1600000060,63000';
  const NO_PRICE = 'time,price\n1600000000,none';
  const scene = (name: SceneName, input: Pick<SceneRequest, 'csv' | 'file' | 'durationMs'>) =>
    sceneCommand({ category: 'USDT-FUTURES', symbol: 'BTCUSDT', name, ...input }, feeds);

  test('[MKT-10][MKT-16] prices come as text or file, and last for their span unless a duration is given', () => {
    const file = inFile('minute.csv', A_MINUTE);
    for (const input of [{ csv: A_MINUTE }, { file }])
      expect(scene('feed', input)).toMatchObject({
        ok: true,
        value: { delayMs: 0, durationMs: 60_000, file: feeds.keep(A_MINUTE).file },
      });
    expect(scene('feed', { file, durationMs: 5_000 })).toMatchObject({
      ok: true,
      value: { durationMs: 5_000 },
    });
    expect(scene('feed', { csv: '1600000000,61000' })).toMatchObject({
      ok: true,
      value: { durationMs: 1 },
    });
  });

  test('[MKT-16][API-33] an invalid price file is refused with its field name', () => {
    const refused = (field: string) => ({ ok: false, refusal: { reason: 'fieldInvalid', field } });
    expect(scene('feed', { csv: NO_PRICE })).toMatchObject(refused('csv'));
    expect(scene('feed', { file: inFile('none.csv', NO_PRICE) })).toMatchObject(refused('file'));
    expect(scene('feed', { file: join(folder, 'gone.csv') })).toMatchObject(refused('file'));
    expect(scene('calm', { csv: A_MINUTE })).toMatchObject(refused('csv'));
    expect(scene('calm', { file: inFile('calm.csv', A_MINUTE) })).toMatchObject(refused('file'));
    for (const input of [{}, { csv: A_MINUTE, file: inFile('both.csv', A_MINUTE) }])
      expect(scene('feed', input)).toMatchObject({
        ok: false,
        refusal: { reason: 'oneOfFieldsNeeded', field: 'csv, file' },
      });
  });

  test('[MKT-22] a scene whose file finds a full disk is refused; other errors are thrown', () => {
    const failing = (code: string) => ({
      keep: (): never => {
        throw Object.assign(new Error(code), { code });
      },
    });
    const asked = {
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      name: 'feed',
      csv: A_MINUTE,
    } as const;
    expect(sceneCommand(asked, failing('ENOSPC'))).toMatchObject({
      ok: false,
      refusal: { reason: 'notServing' },
    });
    expect(() => sceneCommand(asked, failing('EIO'))).toThrow('EIO');
  });
});
