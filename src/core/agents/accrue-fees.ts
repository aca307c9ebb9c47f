/** Counts fees as they are charged, so that the end of a day finds everybody's sums ready. */
import { negate, plus, ZERO_AMOUNT } from '../../kernel/money.ts';
import type { FillRow } from '../../messages/orders.ts';
import { type Accrual, type AgentBooks, addTo } from '../state/agent-books.ts';
import type { Reaction, Step } from '../transaction/step.ts';

/** Nobody earns on what was forced upon a customer, nor on what he trades with himself. */
export const isEarning = ({ selfTrade, executionKind }: FillRow): boolean =>
  !selfTrade && executionKind === 'normal';

/** The last name put together: fills come in crowds, and a text made anew is hashed anew. */
let last = { coin: '', category: '', symbol: '', name: '' };

function accrualName({ feeCoin: coin, category, symbol }: FillRow): string {
  if (last.symbol === symbol && last.category === category && last.coin === coin) return last.name;
  last = { coin, category, symbol, name: `${coin} ${category} ${symbol}` };
  return last.name;
}

/** A seat keeps the accrual of the day at hand. */
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
  // Of everybody: who has no agent may yet be given something to pay the day's fees with.
  if (!isEarning(fill)) return;

  const accrual = accrualOf(step, fill);
  accrual.dealAmount = plus(accrual.dealAmount, fill.value);
  if (fill.fee >= 0n) accrual.fee = plus(accrual.fee, fill.fee);
  else accrual.negativeMakerFee = plus(accrual.negativeMakerFee, negate(fill.fee));
};
