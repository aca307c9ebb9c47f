/** An engine with a market driver, on a clock that tests move. */
import { createEngine, type Executed } from '../core/engine.ts';
import type { DecimalText } from '../kernel/decimal-text.ts';
import { refuse } from '../kernel/result.ts';
import type { Timestamp } from '../kernel/time.ts';
import { DEFAULT_COINS } from '../listings/default-coins.ts';
import { DEFAULT_INSTRUMENTS, DEMO_INDEX_PRICES } from '../listings/default-instruments.ts';
import type { Command, CommandOf } from '../messages/commands.ts';
import { rejection } from '../messages/rejections.ts';
import type { Submit } from '../simulator/market/market-accounts.ts';
import type { RecordedPaths } from '../simulator/market/recorded-path.ts';
import { MarketDriver } from './market-driver.ts';

/** Six hours and a minute past midnight UTC, on a day whose UTC+8 midnight is at 16:00 UTC. */
export const START = Date.UTC(2026, 0, 5, 6, 1) as Timestamp;

export function openExchange(recorded?: RecordedPaths) {
  const engine = createEngine();
  const wall = { now: START };
  const commands: Command[] = [];
  const batches: Executed[] = [];
  /** Whether commands are accepted (a full disk refuses them), and when they are durable. */
  const intake: { isOpen: boolean; written?: Promise<void> } = { isOpen: true };
  /** Resolves when history has room and a snapshot is recent. */
  const room = { kept: Promise.resolve() };
  /** The current error of price files, if any. */
  const trouble: { error?: Error } = {};
  const failures: Error[] = [];
  const submit: Submit = (async (command: Command) => {
    commands.push(command);
    if (!intake.isOpen) return refuse(rejection('notServing'));
    const executed = engine.execute(command, engine.exchangeTime(wall.now));
    batches.push(executed);
    await intake.written;
    return executed.outcome;
  }) as Submit;
  const driver = new MarketDriver({
    engine,
    wall: () => wall.now,
    now: () => engine.exchangeTime(wall.now),
    seed: 1,
    submit,
    atOneMoment: (run, agoMs = 0) => {
      wall.now = (wall.now - agoMs) as Timestamp;
      try {
        return run();
      } finally {
        wall.now = (wall.now + agoMs) as Timestamp;
      }
    },
    recorded: (hash) => {
      if (recorded === undefined) throw new Error('no recording is in use');
      return recorded(hash);
    },
    feeds: () => {
      if (trouble.error !== undefined) throw trouble.error;
      return undefined;
    },
    followed: () => room.kept,
    onFailure: (error) => failures.push(error),
  });
  for (const coin of DEFAULT_COINS) void submit({ type: 'listCoin', coin });
  for (const instrument of DEFAULT_INSTRUMENTS) void submit({ type: 'listInstrument', instrument });
  for (const [coin, index] of Object.entries(DEMO_INDEX_PRICES))
    void submit({
      type: 'setPrices',
      prices: [
        {
          category: 'USDT-FUTURES',
          symbol: `${coin}USDT`,
          index: index as DecimalText,
          releaseMark: false,
          force: false,
        },
      ],
    });
  const updatedAt = (): number => engine.state.indexPrices.get('BTC')!.updatedAt;
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    engine,
    wall,
    driver,
    commands,
    batches,
    intake,
    room,
    trouble,
    failures,
    submit,
    updatedAt,
    turn,
  };
}

/** True for prices, with or without the makers' quotes. */
export const isPrice = ({ type }: Command): boolean =>
  type === 'setPrices' || type === 'setPricesWithQuotes';

export const bitcoinAt = (index: string): CommandOf<'setPrices'> => ({
  type: 'setPrices',
  prices: [
    {
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      index: index as DecimalText,
      releaseMark: false,
      force: true,
    },
  ],
});
