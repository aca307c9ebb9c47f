import { expect, test } from 'vitest';
import type { Id } from '../../kernel/ids.ts';
import type { Amount } from '../../kernel/money.ts';
import { SECOND, type Timestamp } from '../../kernel/time.ts';
import type { ChainReport, Transfer } from './chain-connector.ts';
import { type Remembered, SimulatedChain } from './simulated-chain.ts';

const ORDER = 42 as Id;
const TRANSFER: Transfer = {
  orderId: ORDER,
  coin: 'USDT',
  chain: 'TRC20',
  addressKind: 'tron',
  address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  tag: '',
  amount: 1_000_000_000_000n as Amount,
};
/** A block of Tron starts here. */
const START = 1_735_689_600_000 as Timestamp;
const BLOCK_MS = 3 * SECOND;

/** A chain and a memory that survives a restart. */
function scene() {
  const rows: Remembered[] = [];
  const reports: ChainReport[] = [];
  const clock = { now: START };
  const opened = (): SimulatedChain => {
    const chain = new SimulatedChain({
      now: () => clock.now,
      memory: { load: () => [...rows], append: (row) => void rows.push(row) },
    });
    chain.onReport((report) => reports.push(report));
    return chain;
  };
  const sightings = (): readonly string[] => reports.splice(0).map(({ sighting }) => sighting);
  return { opened, sightings, clock, fates: () => rows.map(({ fate }) => fate) };
}

test('[WDR-38] an unknown order that was inquired about is barred: a later request sends nothing', () => {
  const { opened, sightings, fates } = scene();
  opened().inquire(ORDER);
  expect(sightings()).toEqual(['never']);
  for (const chain of [opened(), opened()]) {
    chain.broadcast(TRANSFER);
    chain.inquire(ORDER);
    expect(sightings()).toEqual(['refused', 'never']);
  }
  expect(fates()).toEqual(['barred', 'refused', 'refused']);
});

test('[WDR-38] a sent transfer is not sent again, and stays sent if a second request is refused', () => {
  const { opened, sightings, clock, fates } = scene();
  const chain = opened();
  chain.broadcast(TRANSFER);
  chain.broadcast(TRANSFER);
  chain.inquire(ORDER);
  expect(sightings()).toEqual(['sent', 'refused', 'sent']);
  clock.now = (START + BLOCK_MS) as Timestamp;
  for (const each of [chain, opened()]) {
    each.inquire(ORDER);
    expect(sightings()).toEqual(['confirmed']);
  }
  expect(fates()).toEqual(['sent', 'refused']);
});

test('[WDR-14] the block after the one it was sent in is the first confirmation', () => {
  const { opened, clock } = scene();
  const chain = opened();
  const reports: ChainReport[] = [];
  chain.onReport((report) => reports.push(report));
  chain.broadcast(TRANSFER);
  for (const passed of [BLOCK_MS - 1, BLOCK_MS, 2 * BLOCK_MS]) {
    clock.now = (START + passed) as Timestamp;
    chain.inquire(ORDER);
  }
  const confirmations = reports
    .slice(1)
    .map((report) => (report.sighting === 'confirmed' ? report.confirmations : report.sighting));
  expect(confirmations).toEqual(['sent', 1, 2]);
});
