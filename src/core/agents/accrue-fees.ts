/** Counts fees as they are charged, so that the end of a day finds everybody's sums ready. */
import { negate, plus, ZERO_AMOUNT } from '../../kernel/money.ts';
import type { FillRow } from '../../messages/orders.ts';
import type { Reaction } from '../step.ts';
import { type Accrual, type AgentBooks, addTo } from './agent-books.ts';

/** Nobody earns on what was forced upon a customer, nor on what he trades with himself. */
export const isEarning = ({ selfTrade, executionKind }: FillRow): boolean => !selfTrade && executionKind === 'normal';

function accrualOf({ accruals }: AgentBooks, { uid, feeCoin: coin, category, symbol }: FillRow): Accrual {
  const own = accruals.get(uid) ?? new Map<string, Accrual>();
  if (own.size === 0) accruals.set(uid, own);
  const key = `${coin} ${category} ${symbol}`;
  const known = own.get(key);
  if (known !== undefined) return known;
  const accrual: Accrual = { coin, category, symbol, dealAmount: ZERO_AMOUNT, fee: ZERO_AMOUNT, negativeMakerFee: ZERO_AMOUNT };
  own.set(key, accrual);
  return accrual;
}

export const accrueFees: Reaction<'fillSettled'> = ({ state }, { fill }) => {
  const { agentBooks } = state;
  if (fill.fee !== 0n) addTo(agentBooks.feesCharged, fill.feeCoin, fill.fee);
  // Of everybody: who has no agent may yet be given something to pay the day's fees with.
  if (!isEarning(fill)) return;

  const accrual = accrualOf(agentBooks, fill);
  accrual.dealAmount = plus(accrual.dealAmount, fill.value);
  if (fill.fee >= 0n) accrual.fee = plus(accrual.fee, fill.fee);
  else accrual.negativeMakerFee = plus(accrual.negativeMakerFee, negate(fill.fee));
};
