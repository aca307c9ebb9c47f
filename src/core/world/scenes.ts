/**
 * What the simulated market is asked to play. The exchange only remembers it, so that a restart
 * goes on with it; the market reads it and acts.
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

/** As far ahead as anybody plans; beyond it a unit was mistaken. */
const SCENE_SPAN_MAX = 3_652 * DAY;
/** A price may double, and not quite vanish. */
const SCENE_PERCENT_MAX: Amount = money('100');
const SCENE_PERCENT_DOWN_MAX: Amount = money('90');
/** How much deeper or wider than usual a book may be made. */
const MAKING_MAX: Amount = money('100');

/** Why a scene cannot be played. */
export function sceneFault(
  state: State,
  { delayMs, durationMs, ...asked }: CommandOf<'playScene'>,
): Refused<Rejection> | undefined {
  if (!state.instruments.has(instrumentKey(asked.category, asked.symbol)))
    return reject('unknownSymbol', 'symbol', asked.symbol);
  if (asked.name === 'markIndexSplit' && !isFutures(asked.category))
    return reject('fieldInvalid', 'category');
  if ((asked.name === 'feed') !== (asked.file !== undefined)) return reject('fieldInvalid', 'file');
  if (delayMs > SCENE_SPAN_MAX)
    return reject('fieldOutOfRange', 'delayMs', `0 to ${SCENE_SPAN_MAX}`);
  if (durationMs < 1 || durationMs > SCENE_SPAN_MAX)
    return reject('fieldOutOfRange', 'durationMs', `1 to ${SCENE_SPAN_MAX}`);
  const percent = moneyFromText<Amount>(asked.percent);
  if (percent === undefined) return reject('tooFine', 'percent');
  if (percent > (asked.down ? SCENE_PERCENT_DOWN_MAX : SCENE_PERCENT_MAX))
    return reject('fieldOutOfRange', 'percent', '-90 to 100');
  return state.scenes.size >= SCENES_MAX ? reject('exchangeFull', 'scene') : undefined;
}

export const playScene: Handler<'playScene'> = (step, command) => {
  const { state, at } = step;
  const fault = sceneFault(state, command);
  if (fault !== undefined) return fault;

  const { delayMs, durationMs, ...asked } = command;
  const id = takeId(step);
  const startsAt = (at + delayMs) as Timestamp;
  const { file, ...rest } = asked;
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

/** What follows from it is decided where statuses and marks are: by `sceneHeld`. */
export const holdScene: Handler<'holdScene'> = (step, { id, mark }) => {
  const scene = step.state.scenes.get(id);
  // It has ended already.
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

/** One that is not there has ended already. */
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
