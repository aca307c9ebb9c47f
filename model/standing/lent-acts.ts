/**
 * What a life does with pairs beside what its crowd does: money comes and goes, in every symbol,
 * while prices are heard, said fast, or next to nothing.
 */
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Random } from '../../src/kernel/random.ts';
import type { Command } from '../../src/messages/commands.ts';
import type { CopySetting } from '../../src/messages/copy-trading.ts';
import type { InstrumentStatus } from '../../src/messages/vocabulary.ts';
import { trackedLives } from '../lists/copy-rows.ts';
import type { RecordedRun } from '../lists/recorded-run.ts';
import { decimals } from '../lists/row.ts';
import { coinsOf, DOLLARS, listingsOf, UNIT, worthOf } from './lent.ts';

const SETTING: CopySetting = {
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  margin: 'leader',
  leverage: 'leader',
  sizing: 'multiple',
  value: '0.5' as DecimalText,
};

/** Of what is worth so many dollars, to the smallest unit. */
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

/** A price is heard again, moved by so many ten thousandths. */
export function update(run: RecordedRun, coin: string, parts: bigint): void {
  const { price } = worthOf([...run.emitted], coin);
  if (!DOLLARS.has(coin)) run.execute(says(coin, (price! * (10_000n + parts)) / 10_000n));
}

/** Somebody does something with a pair, and the prices of its coins are heard. */
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

/**
 * A symbol is closed or halted, or allows another leverage; what it was before comes back with
 * another draw.
 */
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

/** Somebody with a name leads, and whoever may follows him. */
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

/** Somebody leaves a leader and comes back to him, and a copy from before ends (CPY-47). */
export function comeBack(run: RecordedRun, random: Random): void {
  const copies = trackedLives(run.emitted).filter(
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
 * So many seconds pass for one of the wall clock from now on, also where the clock stood: the crowd
 * moves it by what it takes for the wall clock.
 */
export const runAt = (run: RecordedRun, rate: number): void =>
  run.execute({ type: 'moveClock', wall: run.wall, frozen: false, rate });

/** The operator tells what the house has of every coin. */
export function emitReserves(run: RecordedRun): void {
  for (const coin of coinsOf([...run.emitted]).keys())
    run.execute({ type: 'setReserve', coin, amount: '800000000' as DecimalText, operator: 'ann' });
}

/**
 * Ether is worth so little that it has no price in bitcoin (ISO-32), and whoever may has borrowed
 * some before.
 */
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
