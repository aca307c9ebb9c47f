/** Computes the operator's figures: the audit, the house balances, and the metrics. */
import type { Engine } from '../core/engine.ts';
import { countSuspendedPairs } from '../core/margin/pair-risk.ts';
import type { AuditReport } from '../gateway/handlers/parts.ts';
import type { HouseBalance, Reading } from '../gateway/metrics.ts';
import { moneyText } from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import { HOUSE_ACCOUNTS } from '../messages/vocabulary.ts';
import type { Core } from './core.ts';

export function auditText(engine: Engine): AuditReport {
  const { coins, violations } = engine.audit();
  return {
    ok: violations.length === 0 && coins.every(({ difference }) => difference === 0n),
    sequence: engine.sequence as number,
    stateHash: engine.stateHash(),
    coins: coins.map(({ coin, difference, held, owed, insurance, clearing }) => ({
      coin,
      difference: moneyText(difference),
      held: moneyText(held),
      owed: moneyText(owed),
      insurance: moneyText(insurance),
      clearing: moneyText(clearing),
    })),
    violations,
  };
}

/** House balances, one row per account. */
export function* houseBalances({ ledger }: Engine['state']): Iterable<HouseBalance> {
  for (const [coin, wallet] of ledger.house)
    for (const account of HOUSE_ACCOUNTS)
      yield { coin, account, balance: Number(moneyText(wallet[account])) };
}

/** The values of `/metrics`. */
export function readings(
  { engine, sequencer, history, views, started }: Core,
  now: () => Timestamp,
): Reading[] {
  const reading = (name: string, help: string, read: () => number): Reading => ({
    name,
    help,
    read,
  });
  // On a fast clock a request refreshes the prices (MKT-21), so they are not stale between two
  // commands.
  const looksAt = (): Timestamp => (engine.state.clock.fast === undefined ? now() : engine.at);
  return [
    reading('sequence', 'The last command executed.', () => sequencer.status().sequence),
    reading('durable', 'The last command that is on the disk.', () => sequencer.status().durable),
    reading(
      'queued',
      'Commands executed that are not on the disk yet.',
      () => sequencer.status().queued,
    ),
    reading(
      'disk_room',
      '1 while the disk has room for the journal, 0 while commands are refused because it is full.',
      () => (sequencer.status().room ? 1 : 0),
    ),
    reading(
      'history_lag_rows',
      'Rows of history that are not yet written to its file.',
      () => history.lag().rows,
    ),
    reading('history_trouble', '1 while the history file cannot be written, 0 otherwise.', () =>
      history.lag().trouble === undefined ? 0 : 1,
    ),
    reading('users', 'Number of users.', () => views.accounts.count()),
    reading(
      'withdrawals_waiting',
      'Withdrawals that wait for the operator to approve them.',
      () => views.withdrawals.inStage('approval').length,
    ),
    reading(
      'pairs_waiting',
      'Isolated pairs with debts that cannot be liquidated, because of a missing price or a halt.',
      () => countSuspendedPairs(engine.state, looksAt()),
    ),
    reading(
      'bad_snapshots',
      'Damaged snapshots that the start skipped.',
      () => started.badSnapshots.length,
    ),
    reading(
      'cut_bytes',
      'Bytes that the start cut off the end of the journal.',
      () => started.cutBytes,
    ),
  ];
}
