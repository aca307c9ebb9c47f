/**
 * Recomputes what must hold of agents: sums of fees and rebates, days in order, and no account that
 * earns on itself.
 */
import type { Uid } from '../../kernel/ids.ts';
import { type Amount, minus, moneyText, negate, plus, ZERO_AMOUNT } from '../../kernel/money.ts';
import { startOfSettlementDay } from '../../kernel/time.ts';
import { masterOf } from '../accounts/sub-accounts.ts';
import type { Derived } from '../derived/derived.ts';
import type { Accruals } from '../state/agent-books.ts';
import type { State } from '../state/state.ts';
import { addTo } from './commissions.ts';
import { agentsAbove } from './referrals.ts';

const sumIn = (sums: ReadonlyMap<string, Amount>, coin: string): Amount =>
  sums.get(coin) ?? ZERO_AMOUNT;

/**
 * The house's fees are what fills were charged less refunds; its rebates are what agents earned.
 */
function moneyFaults({ ledger, coins, agentBooks }: State): string[] {
  const { feesCharged, feesRefunded, rebatesPaid, customers } = agentBooks;
  const earned = new Map<string, Amount>();
  for (const { totals } of customers.values())
    for (const [coin, amount] of totals) addTo(earned, coin, amount);
  return [...coins.keys()].flatMap((coin) => {
    const faults: string[] = [];
    const house = ledger.house.get(coin);
    const [fees, rebates] = [house?.fees ?? ZERO_AMOUNT, house?.rebates ?? ZERO_AMOUNT];
    const kept = minus(sumIn(feesCharged, coin), sumIn(feesRefunded, coin));
    if (fees !== kept)
      faults.push(
        `fees in ${coin} are ${moneyText(fees)}, and fills were charged ${moneyText(kept)}`,
      );
    const paid = sumIn(rebatesPaid, coin);
    if (negate(rebates) !== paid)
      faults.push(
        `rebates in ${coin} cost ${moneyText(negate(rebates))}, and ${moneyText(paid)} was paid`,
      );
    if (sumIn(earned, coin) !== paid)
      faults.push(
        `customers earned ${moneyText(sumIn(earned, coin))} ${coin} of ${moneyText(paid)} paid`,
      );
    if (plus(fees, rebates) < 0n) faults.push(`more ${coin} was paid in rebates than in fees`);
    return faults;
  });
}

function accrualFaults({ accounts }: State, accruals: Accruals, name: string): string[] {
  const faults: string[] = [];
  for (const [uid, own] of accruals) {
    if (!accounts.has(uid)) faults.push(`fees of ${name} of user ${uid}, which was never created`);
    for (const [key, { coin, category, symbol, fee, dealAmount, negativeMakerFee }] of own) {
      if (key !== `${coin} ${category} ${symbol}`)
        faults.push(`fees of ${name} of user ${uid} are stored under ${key}`);
      if (fee < 0n || negativeMakerFee < 0n || dealAmount <= 0n)
        faults.push(`fees of ${name} of user ${uid} in ${key} are wrong`);
    }
  }
  return faults;
}

/** Ended days come in order and before today. No more waits to be settled than was charged. */
function dayFaults(state: State): string[] {
  const { accruals, endedDays, feesCharged } = state.agentBooks;
  const faults = accrualFaults(state, accruals, 'today');
  let before = -1;
  for (const { day, accruals: ended } of endedDays) {
    if (day <= before || day >= startOfSettlementDay(state.at) || day !== startOfSettlementDay(day))
      faults.push(`the day that began at ${day} is not in its place`);
    before = day;
    faults.push(...accrualFaults(state, ended, `the day that began at ${day}`));
  }
  const waiting = new Map<string, Amount>();
  for (const each of [accruals, ...endedDays.map((ended) => ended.accruals)])
    for (const own of each.values())
      for (const { coin, fee } of own.values()) addTo(waiting, coin, fee);
  for (const [coin, fee] of waiting)
    if (fee > sumIn(feesCharged, coin))
      faults.push(`more fees in ${coin} wait to be settled than were charged`);
  return faults;
}

function agentFaults({ accounts, agentBooks }: State): string[] {
  const { agents, referralCodes, customers, credits } = agentBooks;
  const faults: string[] = [];
  for (const [uid, { referralCode }] of agents) {
    if (!accounts.has(uid)) faults.push(`agent ${uid} was never created`);
    if (referralCodes.get(referralCode) !== uid)
      faults.push(`agent ${uid} is not found by its code`);
  }
  if (referralCodes.size !== agents.size)
    faults.push(`${referralCodes.size} referral codes for ${agents.size} agents`);
  for (const [uid, { agentUid }] of customers)
    if (!accounts.has(uid) || !agents.has(agentUid))
      faults.push(`customer ${uid} of agent ${agentUid}: one of them does not exist`);
  for (const [uid, own] of credits)
    if (!accounts.has(uid) || own.length === 0 || own.some(({ left }) => left <= 0n))
      faults.push(`credits of user ${uid} are wrong`);
  return faults;
}

/** Every chain of agents ends: no master is reached again from itself. */
function circleFaults(state: State, derived: Derived): string[] {
  const ends = new Set<Uid>();
  const onTheWay = new Set<Uid>();
  const faults: string[] = [];
  const walk = (master: Uid): void => {
    if (ends.has(master)) return;
    if (onTheWay.has(master)) {
      faults.push(`user ${master} earns on itself`);
      return;
    }
    onTheWay.add(master);
    for (const above of agentsAbove(state, derived, master)) walk(above);
    onTheWay.delete(master);
    ends.add(master);
  };
  for (const uid of state.agentBooks.customers.keys()) walk(masterOf(state, uid));
  return faults;
}

export const auditAgents = (state: State, derived: Derived): readonly string[] => [
  ...moneyFaults(state),
  ...dayFaults(state),
  ...agentFaults(state),
  ...circleFaults(state, derived),
];
