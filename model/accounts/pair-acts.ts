/**
 * Acts on pairs besides those of the crowd: transfers in every symbol, at fresh, stale and tiny
 * prices.
 */
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Random } from '../../src/kernel/random.ts';
import type { Command } from '../../src/messages/commands.ts';
import type { CopySetting } from '../../src/messages/copy-trading.ts';
import type { InstrumentStatus } from '../../src/messages/vocabulary.ts';
import { trackedStates } from '../lists/copy-rows.ts';
import type { RecordedRun } from '../lists/recorded-run.ts';
import { decimals } from '../lists/row.ts';
import { coinsOf, DOLLARS, listingsOf, UNIT, worthOf } from './pairs.ts';

const SETTING: CopySetting = {
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  margin: 'leader',
  leverage: 'leader',
  sizing: 'multiple',
  value: '0.5' as DecimalText,
};

/** An amount of this dollar value, to the smallest unit. */
const amountWorth = (dollars: number, price: bigint): DecimalText =>
  decimals((BigInt(dollars) * UNIT * UNIT) / price) as DecimalText;

const says = (coin: string, price: bigint): Command => ({
  type: 'setPrices',
  prices: [
    {
      category: 'USDT-FUTURES',
      symbol: `${coin}USDT`,
      index: decimals(price) as DecimalText,
      releaseMark: false,
      force: true,
    },
  ],
});

/** Updates an index, moved by this number of ten thousandths. */
export function update(run: RecordedRun, coin: string, parts: bigint): void {
  const { price } = worthOf([...run.emitted], coin);
  if (!DOLLARS.has(coin)) run.execute(says(coin, (price! * (10_000n + parts)) / 10_000n));
}

/** A random user acts on a pair, after updates of its indexes. */
export function useAPair(run: RecordedRun, random: Random): void {
  const listed = [...listingsOf([...run.emitted]).values()].filter(
    ({ category }) => category === 'MARGIN',
  );
  const { symbol, baseCoin, quoteCoin } = random.pick(listed);
  for (const coin of [baseCoin, quoteCoin]) update(run, coin, BigInt(random.below(21) - 10));
  const uid = random.pick(run.everyone.slice(0, 20));
  const coin = random.pick([baseCoin, quoteCoin]);
  const amount = amountWorth(1 + random.below(3_000), worthOf([...run.emitted], coin).price!);
  const pair = { uid, symbol, coin, amount };
  run.execute(
    random.pick<Command>([
      { type: 'transferIsolated', ...pair, direction: 'in' },
      { type: 'transferIsolated', ...pair, direction: 'in' },
      { type: 'transferIsolated', ...pair, direction: 'out' },
      { type: 'borrowIsolated', ...pair },
      { type: 'borrowIsolated', ...pair },
      { type: 'repayIsolated', ...pair },
    ]),
  );
}

/** Closes or halts a symbol or changes its leverage; a later call restores it. */
export function changeAPair(run: RecordedRun, random: Random): void {
  const listed = [...listingsOf([...run.emitted]).values()].filter(
    ({ category }) => category === 'MARGIN',
  );
  const instrument = random.pick(listed);
  const { category, symbol } = instrument;
  const status = random.pick<InstrumentStatus>(['normal', 'normal', 'halted', 'cancelOnly', 'off']);
  run.execute({ type: 'setInstrumentStatus', category, symbol, status });
  const leverageMax = random.pick(['1', '3', '7', '10']) as DecimalText;
  run.execute({ type: 'listInstrument', instrument: { ...random.pick(listed), leverageMax } });
}

/** A user with a name becomes a leader, and all allowed users follow. */
export function leadByName(run: RecordedRun, name: string): void {
  run.execute({ type: 'createUser', level: 'VIP0', positionMode: 'hedge', name });
  const leader = run.everyone.at(-1)!;
  run.execute({ type: 'makeLeader', uid: leader, profitShare: '0.2' as DecimalText });
  for (const uid of run.everyone.slice(0, 22))
    run.execute({
      type: 'setCopySettings',
      uid,
      leader,
      mode: 'basic',
      autoCopy: true,
      settings: [SETTING],
    });
}

/** A follower leaves a leader and returns; then a copy from before ends (CPY-47). */
export function comeBack(run: RecordedRun, random: Random): void {
  const copies = trackedStates(run.emitted).filter(
    ({ order, isOpen }) => isOpen && order.originalId !== undefined,
  );
  if (copies.length === 0) return;
  const { uid, leader, category, trackingId } = random.pick(copies).order;
  run.execute({ type: 'unfollow', uid, leader });
  run.execute({
    type: 'setCopySettings',
    uid,
    leader,
    mode: 'advanced',
    autoCopy: false,
    settings: [SETTING],
  });
  run.execute({ type: 'closeTrackedOrders', uid, role: 'follower', category, trackingId });
}

/**
 * Exchange seconds per second of the wall clock from now on. The crowd's wall clock is this clock.
 */
export const runAt = (run: RecordedRun, rate: number): void =>
  run.execute({ type: 'moveClock', wall: run.wall, frozen: false, rate });

/** The operator reports reserves of every coin. */
export function emitReserves(run: RecordedRun): void {
  for (const coin of coinsOf([...run.emitted]).keys())
    run.execute({ type: 'setReserve', coin, amount: '800000000' as DecimalText, operator: 'ann' });
}

/** Ether becomes so cheap that it has no price in bitcoin (ISO-32), after users borrowed some. */
export function worthNothing(run: RecordedRun): void {
  const instrument = listingsOf([...run.emitted]).get('MARGIN:ETHBTC')!;
  const { category, symbol } = instrument;
  run.execute({ type: 'setInstrumentStatus', category, symbol, status: 'normal' });
  run.execute({
    type: 'listInstrument',
    instrument: { ...instrument, leverageMax: '10' as DecimalText },
  });
  for (const coin of ['ETH', 'BTC']) update(run, coin, 0n);
  for (const uid of run.everyone.slice(0, 20)) {
    const pair = { uid, symbol, amount: '0.001' as DecimalText };
    run.execute({ type: 'transferIsolated', ...pair, coin: 'BTC', direction: 'in' });
    run.execute({ type: 'borrowIsolated', ...pair, coin: 'ETH' });
  }
  run.execute(says('ETH', 1n));
}
