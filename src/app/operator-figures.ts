/** What an operator is told of all money: the audit, and what the house has. */
import type { Engine } from '../core/engine.ts';
import type { AuditReport } from '../gateway/handlers/parts.ts';
import type { HouseBalance } from '../gateway/metrics.ts';
import { moneyText } from '../kernel/money.ts';
import { HOUSE_ACCOUNTS } from '../messages/vocabulary.ts';

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
