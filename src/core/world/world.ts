/**
 * The world as a whole: whether its first content is complete, and whether the simulated market
 * runs.
 */
import { done, type Handler, reject } from '../transaction/step.ts';

const WORLD = /^[a-z][a-z0-9-]{0,31}$/;

export const openWorld: Handler<'openWorld'> = (step, { world }) => {
  const { state } = step;
  if (state.world !== undefined) return reject('worldOpen');
  if (!WORLD.test(world)) return reject('fieldInvalid', 'world');

  state.world = world;
  step.emit({ type: 'worldOpened', world });
  return done;
};

export const switchMarket: Handler<'switchMarket'> = (step, { on }) => {
  const { state } = step;
  if (state.marketOn === on) return done;

  state.marketOn = on;
  step.emit({ type: 'marketSwitched', on });
  return done;
};
