/** Bills computed from the ledger entry by entry, and transfers between wallet and pairs. */
import {
  type BillWords,
  futuresBillWords,
  pairBillWords,
  spotBillGroups,
  spotBillWords,
  unifiedBillWords,
} from '../../src/contract/bill-words.ts';
import type { BillKind } from '../../src/messages/bills.ts';
import type { LedgerLine } from '../../src/messages/events.ts';
import type { FillRow } from '../../src/messages/orders.ts';
import type { OrderState } from './order-rows.ts';
import type { EmittedEvents, EmittedTransfer } from './recorded-run.ts';
import { decimals, type Row, wireId } from './row.ts';

export interface NaiveBill {
  readonly id: number;
  readonly uid: number;
  /** The pair; undefined for the wallet. */
  readonly pair: string | undefined;
  readonly coin: string;
  readonly kind: BillKind;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly balance: bigint;
  readonly area: string;
  readonly market: string;
  readonly at: number;
}

/** Effect of an entry on one wallet or one pair. */
interface Share {
  readonly id: number;
  readonly uid: number;
  readonly pair: string | undefined;
  readonly coin: string;
  change: bigint;
  balance: bigint;
}

type Meaning = Pick<NaiveBill, 'kind' | 'area' | 'market'>;

class Billing {
  readonly bills: NaiveBill[] = [];
  readonly #emitted: readonly EmittedEvents[];
  readonly #orders: ReadonlyMap<number, OrderState>;
  readonly #held = new Map<string, bigint>();

  constructor(emitted: readonly EmittedEvents[], orders: ReadonlyMap<number, OrderState>) {
    this.#emitted = emitted;
    this.#orders = orders;
    for (const [place, { event }] of emitted.entries())
      if (event.type === 'entryPosted') this.#take(place, event.reason, event.lines);
  }

  #shares(lines: readonly LedgerLine[]): readonly Share[] {
    const shares: Share[] = [];
    for (const { id, uid, coin, symbol: pair, amount } of lines) {
      if (uid === undefined) continue;
      const key = `${uid}:${pair ?? ''}:${coin}`;
      const balance = (this.#held.get(key) ?? 0n) + amount;
      this.#held.set(key, balance);
      const known = shares.find((share) => share.uid === uid && share.pair === pair);
      if (known === undefined) shares.push({ id, uid, pair, coin, change: amount, balance });
      else Object.assign(known, { change: known.change + amount, balance });
    }
    return shares;
  }

  #take(place: number, reason: string, lines: readonly LedgerLine[]): void {
    const toHouse = (account: string): bigint =>
      lines
        .filter((line) => line.uid === undefined && line.account === account)
        .reduce((sum, { amount }) => sum + amount, 0n);
    const shares = this.#shares(lines);
    const isFill = reason === 'trade' || reason === 'openPosition' || reason === 'closePosition';
    const paid = isFill
      ? toHouse('fees')
      : reason === 'withdrawalSent'
        ? toHouse('withdrawals')
        : 0n;
    // In a spot trade, the receiver of a coin pays its fee from the received coins.
    const payer = shares.length === 1 ? shares[0] : shares.find(({ change }) => change > 0n);
    for (const share of shares) {
      const fee = share === payer ? -paid : 0n;
      if (share.change === 0n && fee === 0n) continue;
      if (reason === 'repay') this.#repay(place, share, lines);
      else
        this.#add(
          place,
          share,
          share.change - fee,
          fee,
          this.#meaning(place, reason, share, share.change - fee, lines),
        );
    }
  }

  #add(place: number, share: Share, amount: bigint, fee: bigint, meaning: Meaning): void {
    const { id, uid, pair, coin, balance } = share;
    this.bills.push({
      id,
      uid,
      pair,
      coin,
      amount,
      fee,
      balance,
      ...meaning,
      at: this.#emitted[place]!.at,
    });
  }

  /** Principal and interest are a bill each (BILL-08). */
  #repay(place: number, share: Share, lines: readonly LedgerLine[]): void {
    const line = lines.find(({ uid, account }) => uid === undefined && account === 'interest');
    const interest: bigint = line?.amount ?? 0n;
    const loan = { area: 'MARGIN', market: share.pair ?? '' };
    const principal = share.change + interest;
    if (principal !== 0n)
      this.#add(place, { ...share, balance: share.balance + interest }, principal, 0n, {
        kind: 'repay',
        ...loan,
      });
    if (line !== undefined)
      this.#add(place, { ...share, id: line.id }, -interest, 0n, { kind: 'interest', ...loan });
  }

  /** The first later event of the same command that names the cause of the entry. */
  #next<Found>(place: number, find: (emitted: EmittedEvents) => Found | undefined): Found {
    const { sequence } = this.#emitted[place]!;
    for (let at = place + 1; this.#emitted[at]?.sequence === sequence; at++) {
      const found = find(this.#emitted[at]!);
      if (found !== undefined) return found;
    }
    throw new Error(`nothing says what the entry at ${place} was about`);
  }

  #meaning(
    place: number,
    reason: string,
    share: Share,
    amount: bigint,
    lines: readonly LedgerLine[],
  ): Meaning {
    const { uid, pair, change } = share;
    const out = change < 0n;
    const other = (kind: BillKind): Meaning => ({ kind, area: 'OTHER', market: pair ?? '' });
    switch (reason) {
      case 'deposit':
        return other('deposit');
      case 'withdrawalSent':
        return other('withdrawal');
      case 'internalTransfer':
        return other(out ? 'transferOut' : 'transferIn');
      case 'rebate':
        return other('rebate');
      case 'feeRefund':
        return other('feeRefund');
      case 'insurance':
        return other(out ? 'liquidationOut' : 'liquidationIn');
      case 'borrow':
        return { kind: 'borrow', area: 'MARGIN', market: pair ?? '' };
      case 'isolatedTransfer':
        return {
          ...other(out ? 'pairTransferOut' : 'pairTransferIn'),
          market: lines.find(({ symbol }) => symbol !== undefined)!.symbol!,
        };
      case 'funding':
        return this.#next(place, ({ event }) =>
          event.type === 'fundingCharged' && event.uid === uid
            ? {
                kind: out ? ('fundingOut' as const) : ('fundingIn' as const),
                area: event.category,
                market: event.symbol,
              }
            : undefined,
        );
      case 'takeover':
        if (pair !== undefined) return other('liquidationOut');
        return this.#next(place, ({ event }) =>
          event.type === 'positionChanged' && event.position.uid === uid
            ? {
                kind: out ? ('takeoverOut' as const) : ('takeoverIn' as const),
                area: event.position.category,
                market: event.position.symbol,
              }
            : undefined,
        );
      case 'profitShare':
        return this.#next(place, ({ event }) =>
          event.type === 'trackedOrderEnded'
            ? {
                kind: out ? ('profitShareOut' as const) : ('profitShareIn' as const),
                area: event.order.category,
                market: event.order.symbol,
              }
            : undefined,
        );
      default:
        return this.#ofFill(place, reason, share, amount);
    }
  }

  /** The fee coin identifies the order of a credit; the debit belongs to the other (BILL-04). */
  #ofFill(place: number, reason: string, { uid, coin, pair }: Share, amount: bigint): Meaning {
    const isOf = (fill: FillRow): boolean => {
      if (fill.uid !== uid) return false;
      if (reason !== 'trade') return true;
      return (
        (fill.feeCoin === coin) === amount >= 0n &&
        (fill.loanType === undefined) === (pair === undefined)
      );
    };
    const fill = this.#next(place, ({ event }) =>
      event.type === 'fillSettled' && isOf(event.fill) ? event.fill : undefined,
    );
    const kind =
      reason === 'trade'
        ? coinKind(fill.side, amount)
        : this.#futuresKind(fill, reason === 'openPosition');
    return { kind, area: fill.category, market: fill.symbol };
  }

  #futuresKind(fill: FillRow, isOpening: boolean): BillKind {
    const hedged = this.#orders.get(fill.orderId)!.order.positionMode === 'hedge';
    const side = fill.side === 'buy' ? 'Buy' : 'Sell';
    const position = fill.positionSide === 'long' ? 'Long' : 'Short';
    const own = fill.executionKind === 'normal' || fill.executionKind === 'delivery';
    if (own && !hedged) return fill.side;
    if (hedged && isOpening) return `open${position}`;
    if (own) return `close${position}`;
    const how = fill.executionKind === 'liquidation' ? 'burst' : 'forced';
    return hedged ? `${how}Close${position}` : `${how}${side}`;
  }
}

function coinKind(side: string, amount: bigint): BillKind {
  if (side === 'buy') return amount < 0n ? 'buyOut' : 'buyIn';
  return amount < 0n ? 'sellOut' : 'sellIn';
}

export const naiveBills = (
  emitted: readonly EmittedEvents[],
  orders: ReadonlyMap<number, OrderState>,
): readonly NaiveBill[] => new Billing(emitted, orders).bills;

const wordIn = (words: BillWords, kind: BillKind): string | undefined => words[kind];
const numbers = ({ amount, fee, balance }: NaiveBill) => ({
  amount: decimals(amount),
  fee: decimals(fee),
  balance: decimals(balance),
});

const unified = (bill: NaiveBill) => ({
  category: bill.area,
  id: wireId(bill.id),
  symbol: bill.market,
  coin: bill.coin,
  type: unifiedBillWords[bill.kind],
  ...numbers(bill),
  ts: String(bill.at),
});

const futures = (bill: NaiveBill) => ({
  billId: wireId(bill.id),
  symbol: bill.market,
  ...numbers(bill),
  feeByCoupon: '',
  businessType: wordIn(futuresBillWords, bill.kind),
  coin: bill.coin,
  cTime: String(bill.at),
});

const spot = (bill: NaiveBill) => ({
  cTime: String(bill.at),
  coin: bill.coin,
  groupType: wordIn(spotBillGroups, bill.kind),
  businessType: wordIn(spotBillWords, bill.kind),
  size: decimals(bill.amount),
  balance: decimals(bill.balance),
  fees: decimals(bill.fee),
  billId: wireId(bill.id),
});

const pairs = (bill: NaiveBill) => ({
  coin: bill.coin,
  symbol: bill.market,
  marginId: wireId(bill.id),
  ...numbers(bill),
  marginType: wordIn(pairBillWords, bill.kind),
  cTime: String(bill.at),
  uTime: String(bill.at),
});

export const billTexts = { unified, futures, spot, pairs };

export const billRows = (
  bills: readonly NaiveBill[],
  shownAs: keyof typeof billTexts,
): readonly Row[] =>
  bills.map((bill) => ({
    id: bill.id,
    time: bill.at,
    is: {
      category: bill.area,
      productType: bill.area,
      symbol: bill.market,
      coin: bill.coin,
      groupType: wordIn(spotBillGroups, bill.kind),
      businessType: wordIn(shownAs === 'futures' ? futuresBillWords : spotBillWords, bill.kind),
      type: unifiedBillWords[bill.kind],
      marginType: wordIn(pairBillWords, bill.kind),
    },
    get shown() {
      return billTexts[shownAs](bill);
    },
  }));

/** BILL-07: under the id that the transfer returned. */
export const transferRows = (transfers: readonly EmittedTransfer[], uid: number): readonly Row[] =>
  transfers
    .filter(({ command }) => command.uid === uid)
    .map(({ transferId, command: { coin, symbol, amount, direction }, at }) => {
      const [fromType, toType] =
        direction === 'in' ? ['spot', 'isolated_margin'] : ['isolated_margin', 'spot'];
      const shown = {
        coin,
        status: 'Successful',
        toType,
        toSymbol: direction === 'in' ? symbol : '',
        fromType,
        fromSymbol: direction === 'in' ? '' : symbol,
        size: amount as string,
        ts: String(at),
        clientOid: '',
        transferId: wireId(transferId),
      };
      return { id: transferId, time: at, is: { coin, fromType }, shown };
    });
