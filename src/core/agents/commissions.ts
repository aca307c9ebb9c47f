/**
 * Settles the fees of an ended day with agents, customer by customer. One step makes the rows and
 * pays them, so a row is never paid twice (AGT-20).
 */

import type { Uid } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { type Amount, negate, plus, rateOf, ZERO_AMOUNT } from '../../kernel/money.ts';
import { DAY, type Timestamp } from '../../kernel/time.ts';
import type { Agent, Commission } from '../../messages/agents.ts';
import type { FillRow } from '../../messages/orders.ts';
import { isFutures } from '../../messages/vocabulary.ts';
import { post } from '../ledger/ledger.ts';
import { repayFromAvailable } from '../margin/debts.ts';
import type { Accrual, AgentBooks, Customer, EndedDay } from '../state/agent-books.ts';
import { settlePendingCharges } from '../trading/charges/settle-charges.ts';
import { type Reaction, type Step, takeId } from '../transaction/step.ts';
import { type Deducted, deduct, forgetUsed } from './fee-credits.ts';

export function addTo(sums: Map<string, Amount>, coin: string, amount: Amount): Amount {
  const sum = plus(sums.get(coin) ?? ZERO_AMOUNT, amount);
  sums.set(coin, sum);
  return sum;
}

/** Liquidations and self-trades earn an agent nothing (AGT-21). */
export const isEarning = ({ selfTrade, executionKind }: FillRow): boolean =>
  !selfTrade && executionKind === 'normal';

/**
 * The last name that was built: fills often come in a row for one name, and building it is slow.
 */
let last = { coin: '', category: '', symbol: '', name: '' };

function accrualName({ feeCoin: coin, category, symbol }: FillRow): string {
  if (last.symbol === symbol && last.category === category && last.coin === coin) return last.name;
  last = { coin, category, symbol, name: `${coin} ${category} ${symbol}` };
  return last.name;
}

/** The symbol account caches the accrual of the current day. */
function accrualOf({ state: { agentBooks }, derived }: Step, fill: FillRow): Accrual {
  const symbolAccount = derived.accountContexts
    .get(fill.uid)
    ?.symbolAccountIn(derived.marketContexts.named(fill.category, fill.symbol)!);
  if (symbolAccount === undefined) return findAccrual(agentBooks, fill);
  if (symbolAccount.accruedIn !== agentBooks.accruals || symbolAccount.accrual === undefined) {
    symbolAccount.accrual = findAccrual(agentBooks, fill);
    symbolAccount.accruedIn = agentBooks.accruals;
  }
  return symbolAccount.accrual;
}

function findAccrual({ accruals }: AgentBooks, fill: FillRow): Accrual {
  const { uid, feeCoin: coin, category, symbol } = fill;
  const own = accruals.get(uid) ?? new Map<string, Accrual>();
  if (own.size === 0) accruals.set(uid, own);
  const name = accrualName(fill);
  const known = own.get(name);
  if (known !== undefined) return known;
  const accrual: Accrual = {
    coin,
    category,
    symbol,
    dealAmount: ZERO_AMOUNT,
    fee: ZERO_AMOUNT,
    negativeMakerFee: ZERO_AMOUNT,
  };
  own.set(name, accrual);
  return accrual;
}

export const accrueFees: Reaction<'fillSettled'> = (step, { fill }) => {
  const { agentBooks } = step.state;
  if (fill.fee !== 0n) addTo(agentBooks.feesCharged, fill.feeCoin, fill.fee);
  // Fees accrue without an agent too, because a user may still get credits to pay them with.
  if (!isEarning(fill)) return;

  const accrual = accrualOf(step, fill);
  accrual.dealAmount = plus(accrual.dealAmount, fill.value);
  if (fill.fee >= 0n) accrual.fee = plus(accrual.fee, fill.fee);
  else accrual.negativeMakerFee = plus(accrual.negativeMakerFee, negate(fill.fee));
};

/** A commission row before its totals are known. */
type Earned = Pick<Commission, 'rebate' | 'customerShare'> & {
  readonly accrual: Accrual;
  readonly deducted: Deducted;
};

/** Starts a new day. The ended one keeps the settings of agents as they are now (AGT-24). */
export const endFeeDay: Reaction<'settlementDayEnded'> = ({ state }, { day }) => {
  const { agentBooks } = state;
  if (agentBooks.accruals.size === 0) return;
  agentBooks.endedDays.push({
    day,
    accruals: agentBooks.accruals,
    agents: new Map(agentBooks.agents),
  });
  agentBooks.accruals = new Map();
};

export function commissionPortion(step: Step): void {
  const { endedDays } = step.state.agentBooks;
  const ended = endedDays[0]!;
  let rows = 0;
  for (const [uid, accruals] of ended.accruals) {
    if (rows >= step.derived.portions.commissions) return;
    rows += accruals.size;
    ended.accruals.delete(uid);
    settleUser(step, ended, uid, [...accruals.values()]);
  }
  endedDays.shift();
}

function settleUser(step: Step, ended: EndedDay, uid: Uid, accruals: readonly Accrual[]): void {
  const { agentBooks } = step.state;
  const credits = agentBooks.credits.get(uid) ?? [];
  const rows = accruals.map((accrual) => ({
    accrual,
    deducted: deduct(accrual, credits, (ended.day + DAY) as Timestamp),
  }));
  for (const { accrual, deducted } of rows) refundFee(step, uid, accrual.coin, deducted.refund);
  if (credits.length > 0) forgetUsed(agentBooks, uid);
  const customer = agentBooks.customers.get(uid);
  if (customer === undefined) return;
  const agent = ended.agents.get(customer.agentUid);
  invariant(agent !== undefined, 'a customer has an agent from its first day on');
  const earned = rows
    .map((row) => ({ ...row, ...earnedOn(agent, row.accrual, row.deducted) }))
    .filter(({ rebate }) => rebate > 0n);
  payCommissions(step, ended.day, agent, uid, customer, earned);
}

/**
 * Both are rounded down: the exchange keeps the dust of a rebate, the agent the dust of a share.
 */
function earnedOn(
  agent: Agent,
  { category }: Accrual,
  { feePaid }: Deducted,
): Pick<Commission, 'rebate' | 'customerShare'> {
  const rebate = rateOf(
    feePaid,
    isFutures(category) ? agent.futuresRatio : agent.spotRatio,
    'down',
  );
  return { rebate, customerShare: rateOf(rebate, agent.userShare, 'down') };
}

function payCommissions(
  step: Step,
  day: Timestamp,
  agent: Agent,
  uid: Uid,
  customer: Customer,
  earned: readonly Earned[],
): void {
  const upperUid = step.state.agentBooks.customers.get(agent.uid)?.agentUid;
  const dayTotals = new Map<string, Amount>();
  for (const { accrual, rebate } of earned) {
    addTo(dayTotals, accrual.coin, rebate);
    addTo(customer.totals, accrual.coin, rebate);
  }
  for (const { accrual, deducted, rebate, customerShare } of earned) {
    const { coin, category, symbol, dealAmount, fee } = accrual;
    payRebate(step, { agentUid: agent.uid, uid, coin, rebate, customerShare });
    const commission: Commission = {
      commissionId: takeId(step),
      agentUid: agent.uid,
      uid,
      day,
      coin,
      category,
      symbol,
      dealAmount,
      fee,
      deductions: deducted.deductions,
      feePaid: deducted.feePaid,
      rebate,
      customerShare,
      dayTotal: dayTotals.get(coin)!,
      total: customer.totals.get(coin)!,
    };
    const upper =
      upperUid === undefined ? {} : { upper: { agentUid: upperUid, commissionId: takeId(step) } };
    step.emit({ type: 'commissionPaid', commission, ...upper });
  }
}

type Rebate = Pick<Commission, 'agentUid' | 'uid' | 'coin' | 'rebate' | 'customerShare'>;

/** One entry pays the agent and passes the customer's share on. */
function payRebate(step: Step, { agentUid, uid, coin, rebate, customerShare }: Rebate): void {
  settlePendingCharges(step, agentUid);
  settlePendingCharges(step, uid);
  post(step, 'rebate', [
    { coin, account: 'rebates', amount: negate(rebate) },
    { uid: agentUid, coin, account: 'available', amount: rebate },
    { uid: agentUid, coin, account: 'available', amount: negate(customerShare) },
    { uid, coin, account: 'available', amount: customerShare },
  ]);
  addTo(step.state.agentBooks.rebatesPaid, coin, rebate);
  repayFromAvailable(step, agentUid, coin);
  if (customerShare > 0n) repayFromAvailable(step, uid, coin);
}

function refundFee(step: Step, uid: Uid, coin: string, refund: Amount): void {
  if (refund === 0n) return;
  settlePendingCharges(step, uid);
  post(step, 'feeRefund', [
    { coin, account: 'fees', amount: negate(refund) },
    { uid, coin, account: 'available', amount: refund },
  ]);
  addTo(step.state.agentBooks.feesRefunded, coin, refund);
  repayFromAvailable(step, uid, coin);
}
