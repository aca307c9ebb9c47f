/**
 * Turns an operator's or a seed file's market request into a command: adds the scene's defaults and
 * stores its file.
 */

import { wireRejection } from '../contract/wire-rejections.ts';
import type { Reply } from '../gateway/handlers/handler.ts';
import type { SceneRequest } from '../gateway/handlers/parts.ts';
import { isDiskFull } from '../journal/disk.ts';
import type { DecimalText } from '../kernel/decimal-text.ts';
import { given } from '../kernel/given.ts';
import { ok, refuse } from '../kernel/result.ts';
import type { CommandOf } from '../messages/commands.ts';
import type { SceneName } from '../messages/scenes.ts';
import { BadFeed, spanOf } from '../simulator/market/price-feed.ts';
import { SCENES } from '../simulator/market/scenes.ts';
import { feedText, type PriceFeeds } from './price-feeds.ts';

interface StoredFeed {
  readonly file?: string;
  readonly durationMs?: number;
}

function keepFeed(
  { csv, file, name }: SceneRequest,
  feeds: Pick<PriceFeeds, 'keep'>,
): Reply<StoredFeed> {
  if (name !== 'feed')
    return csv === undefined && file === undefined
      ? ok({})
      : refuse(wireRejection('fieldInvalid', csv === undefined ? 'file' : 'csv'));
  if ((csv === undefined) === (file === undefined))
    return refuse(wireRejection('oneOfFieldsNeeded', 'csv, file'));
  const text = csv ?? feedText(file!);
  if (text === undefined) return refuse(wireRejection('fieldInvalid', 'file', file));
  try {
    const kept = feeds.keep(text);
    return ok({ file: kept.file, durationMs: Math.max(1, spanOf(kept.rows)) });
  } catch (error) {
    // A file must be on disk before the journal names it.
    if (isDiskFull(error)) return refuse(wireRejection('notServing'));
    if (!(error instanceof BadFeed)) throw error;
    return refuse(wireRejection('fieldInvalid', csv === undefined ? 'file' : 'csv', error.message));
  }
}

/** Their price follows the usual path, or that of a file. */
const WITHOUT_PERCENT: ReadonlySet<SceneName> = new Set(['calm', 'frozenFeed', 'halt', 'feed']);

const isZero = (amount: DecimalText): boolean => !/[1-9]/.test(amount);

export function sceneCommand(
  request: SceneRequest,
  feeds: Pick<PriceFeeds, 'keep'>,
): Reply<CommandOf<'playScene'>> {
  const { category, symbol, name, percent } = request;
  const goes = percent !== undefined && !isZero(percent.amount);
  if (goes && WITHOUT_PERCENT.has(name))
    return refuse(wireRejection('fieldInvalid', 'percent', 'this scene has none'));
  const kept = keepFeed(request, feeds);
  if (!kept.ok) return kept;
  const usual = SCENES[name];
  return ok({
    type: 'playScene',
    category,
    symbol,
    name,
    delayMs: request.delayMs ?? 0,
    durationMs: request.durationMs ?? kept.value.durationMs ?? usual.durationMs,
    percent: percent?.amount ?? (usual.percent as DecimalText),
    // Zero is neither up nor down.
    down: goes ? percent.negative : usual.down,
    ...given({ file: kept.value.file }),
  });
}
