/**
 * Scenes that the simulated market plays. The exchange stores them, so that they continue after a
 * restart; the market reads them and acts.
 */

import { given } from '../../kernel/given.ts';
import { type Amount, money, moneyFromText } from '../../kernel/money.ts';
import type { Refused } from '../../kernel/result.ts';
import { DAY, type Timestamp } from '../../kernel/time.ts';
import { SCENES_MAX } from '../../messages/bounds.ts';
import type { CommandOf } from '../../messages/commands.ts';
import type { Rejection } from '../../messages/rejections.ts';
import type { Scene } from '../../messages/scenes.ts';
import { isFutures } from '../../messages/vocabulary.ts';
import { instrumentKey } from '../derived/instrument-spec.ts';
import { readPrice } from '../prices/set-prices.ts';
import type { State } from '../state/state.ts';
import { accept, done, type Handler, reject, takeId } from '../transaction/step.ts';

/** Ten years, which catches a wrong unit. */
const SCENE_SPAN_MAX = 3_652 * DAY;
/** A price may double, but not fall to zero. */
const SCENE_PERCENT_MAX: Amount = money('100');
const SCENE_PERCENT_DOWN_MAX: Amount = money('90');
/** The largest factor of depth or spread. */
const MAKING_MAX: Amount = money('100');

/** The refusal if a scene cannot be played. */
export function sceneFault(
  state: State,
  { delayMs, durationMs, ...request }: CommandOf<'playScene'>,
): Refused<Rejection> | undefined {
  if (!state.instruments.has(instrumentKey(request.category, request.symbol)))
    return reject('unknownSymbol', 'symbol', request.symbol);
  if (request.name === 'markIndexSplit' && !isFutures(request.category))
    return reject('fieldInvalid', 'category');
  if ((request.name === 'feed') !== (request.file !== undefined))
    return reject('fieldInvalid', 'file');
  if (delayMs > SCENE_SPAN_MAX)
    return reject('fieldOutOfRange', 'delayMs', `0 to ${SCENE_SPAN_MAX}`);
  if (durationMs < 1 || durationMs > SCENE_SPAN_MAX)
    return reject('fieldOutOfRange', 'durationMs', `1 to ${SCENE_SPAN_MAX}`);
  const percent = moneyFromText<Amount>(request.percent);
  if (percent === undefined) return reject('tooFine', 'percent');
  if (percent > (request.down ? SCENE_PERCENT_DOWN_MAX : SCENE_PERCENT_MAX))
    return reject('fieldOutOfRange', 'percent', '-90 to 100');
  return state.scenes.size >= SCENES_MAX ? reject('exchangeFull', 'scene') : undefined;
}

export const playScene: Handler<'playScene'> = (step, command) => {
  const { state, at } = step;
  const fault = sceneFault(state, command);
  if (fault !== undefined) return fault;

  const { delayMs, durationMs, ...request } = command;
  const id = takeId(step);
  const startsAt = (at + delayMs) as Timestamp;
  const { file, ...rest } = request;
  const { category, symbol, name, down } = rest;
  const endsAt = (startsAt + durationMs) as Timestamp;
  const scene: Scene = {
    id,
    category,
    symbol,
    name,
    startsAt,
    endsAt,
    percent: rest.percent,
    down,
    ...given({ file }),
  };
  state.scenes.set(id, scene);
  step.emit({ type: 'scenePlayed', scene });
  return accept({ id });
};

/** Reactions to `sceneHeld` change the status or the mark price. */
export const holdScene: Handler<'holdScene'> = (step, { id, mark }) => {
  const scene = step.state.scenes.get(id);
  // The scene has already ended.
  if (scene === undefined) return done;
  const { category, symbol, name } = scene;
  if (name !== 'halt' && name !== 'markIndexSplit') return reject('fieldInvalid', 'id');
  if ((name === 'markIndexSplit') !== (mark !== undefined)) return reject('fieldInvalid', 'mark');
  const price = mark === undefined ? undefined : readPrice('mark', mark);
  if (price !== undefined && !price.ok) return price;

  step.state.scenes.set(id, { ...scene, held: true });
  step.emit({
    type: 'sceneHeld',
    id,
    category,
    symbol,
    name,
    again: scene.held ?? false,
    ...given({ mark: price?.value }),
  });
  return done;
};

/** A missing scene has already ended. */
export const endScene: Handler<'endScene'> = (step, { id }) => {
  const scene = step.state.scenes.get(id);
  if (scene === undefined) return done;
  const { category, symbol, name } = scene;

  step.state.scenes.delete(id);
  step.emit({
    type: 'sceneEnded',
    id,
    ...(scene.held ? { held: { category, symbol, name } } : {}),
  });
  return done;
};

export const setMaking: Handler<'setMaking'> = (step, { category, symbol, making }) => {
  const key = instrumentKey(category, symbol);
  if (!step.state.instruments.has(key)) return reject('unknownSymbol', 'symbol', symbol);
  const [depth, spread] = [
    moneyFromText<Amount>(making.depth),
    moneyFromText<Amount>(making.spread),
  ];
  if (depth === undefined) return reject('tooFine', 'depth');
  if (spread === undefined) return reject('tooFine', 'spread');
  if (depth > MAKING_MAX) return reject('fieldOutOfRange', 'depth', '0 to 100');
  if (spread === 0n || spread > MAKING_MAX)
    return reject('fieldOutOfRange', 'spread', 'above 0, and 100 at most');

  step.state.makings.set(key, making);
  step.emit({ type: 'makingSet', category, symbol, making });
  return done;
};
