/** Lists and changes coins and instruments, and sets the status of instruments. */

import { refuse } from '../../kernel/result.ts';
import { isStillHeld } from '../derived/held-scenes.ts';
import { instrumentKey, keyOf } from '../derived/instrument-spec.ts';
import { done, type Handler, type Reaction, reject } from '../transaction/step.ts';
import { normalOperator, recordAct } from '../withdrawals/operator-acts.ts';
import { coinFault } from './coin-checks.ts';
import { changeFault, instrumentFault, siblingFault } from './instrument-checks.ts';

/** More coins than the largest exchanges list. */
const COINS_MAX = 2_000;

/** Bounds the work of an index price, which examines every instrument. */
const INSTRUMENTS_MAX = 5_000;

export const listCoin: Handler<'listCoin'> = (step, { coin, operator: givenOperator }) => {
  const { coins } = step.state;
  const operator = givenOperator === undefined ? undefined : normalOperator(givenOperator);
  if (givenOperator !== undefined && operator === undefined)
    return reject('fieldInvalid', 'operator');
  const fault = coinFault(coin);
  if (fault !== undefined) return refuse(fault);
  if (!coins.has(coin.coin) && coins.size >= COINS_MAX) return reject('exchangeFull', 'coin');

  coins.set(coin.coin, coin);
  step.derived.headroom.invalidateAll();
  step.emit({ type: 'coinListed', coin });
  if (operator !== undefined) recordAct(step, { operator, act: 'listCoin', coin: coin.coin });
  return done;
};

export const listInstrument: Handler<'listInstrument'> = (step, { instrument }) => {
  const { coins, instruments } = step.state;
  const key = keyOf(instrument);
  const before = instruments.get(key);
  // Fixed fields first: otherwise a changed step would be reported as an invalid size.
  const fault =
    (before === undefined ? undefined : changeFault(before.instrument, instrument)) ??
    instrumentFault(coins, instrument) ??
    siblingFault(instruments, instrument);
  if (fault !== undefined) return refuse(fault);
  if (before === undefined && instruments.size >= INSTRUMENTS_MAX)
    return reject('exchangeFull', 'symbol');

  instruments.set(key, { status: 'normal', ...before, instrument });
  step.derived.headroom.invalidateAll();
  step.emit({ type: 'instrumentListed', instrument });
  return done;
};

export const setInstrumentStatus: Handler<'setInstrumentStatus'> = (
  step,
  { category, symbol, status },
) => {
  const listed = step.state.instruments.get(instrumentKey(category, symbol));
  if (listed === undefined) return reject('unknownSymbol', 'symbol', symbol);

  // A status set by command takes over from the scene.
  if (listed.haltedByScene) listed.haltedByScene = undefined;
  if (listed.status === status) return done;
  listed.status = status;
  step.emit({ type: 'instrumentStatusChanged', category, symbol, status });
  return done;
};

export const haltWithScene: Reaction<'sceneHeld'> = (step, { category, symbol, name }) => {
  const listed = step.state.instruments.get(instrumentKey(category, symbol));
  // Otherwise the operator or an earlier scene has halted it.
  if (name !== 'halt' || listed?.status !== 'normal') return;
  listed.status = 'halted';
  listed.haltedByScene = true;
  step.emit({ type: 'instrumentStatusChanged', category, symbol, status: 'halted' });
};

export const openAfterScene: Reaction<'sceneEnded'> = (step, { held }) => {
  if (held?.name !== 'halt') return;
  const { category, symbol } = held;
  const listed = step.state.instruments.get(instrumentKey(category, symbol));
  if (listed?.haltedByScene !== true || isStillHeld(step.state, held)) return;
  listed.status = 'normal';
  listed.haltedByScene = undefined;
  step.emit({ type: 'instrumentStatusChanged', category, symbol, status: 'normal' });
};
