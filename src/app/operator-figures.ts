/** What an operator is told in figures: the audit, what the house has, and how things stand. */
import type { Engine } from '../core/engine.ts';
import { countWaitingPairs } from '../core/isolated/waiting-pairs.ts';
import type { AuditReport } from '../gateway/handlers/parts.ts';
import type { HouseBalance } from '../gateway/metrics.ts';
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

/** What the house has, account by account, for those who watch it grow and shrink. */
export function* houseBalances({ ledger }: Engine['state']): Iterable<HouseBalance> {
  for (const [coin, wallet] of ledger.house)
    for (const account of HOUSE_ACCOUNTS) yield { coin, account, balance: Number(moneyText(wallet[account])) };
}

/** How things stand, for `/metrics`. */
export function readings({ engine, sequencer, history, views, started }: Core, now: Timestamp): Record<string, number> {
  const { sequence, durable, queued, room } = sequencer.status();
  const lag = history.lag();
  // On a fast clock prices are said when somebody asks for something (MKT-21): between two commands they are not stale.
  const looksAt = engine.state.clock.fast === undefined ? now : engine.at;
  return {
    sequence,
    durable,
    queued,
    disk_room: room ? 1 : 0,
    history_lag_rows: lag.rows,
    history_trouble: lag.trouble === undefined ? 0 : 1,
    users: views.accounts.count(),
    withdrawals_waiting: views.withdrawals.inStage('approval').length,
    pairs_waiting: countWaitingPairs(engine.state, looksAt),
    bad_snapshots: started.badSnapshots.length,
    cut_bytes: started.cutBytes,
  };
}
