/**
 * Makes bills from ledger entries: one for each user and book whose total an entry changes. The
 * entry's fill, funding or position event follows it. A bill waits for that event, at most until
 * the end of its part of the batch.
 */
import type { Id, Uid } from '../kernel/ids.ts';
import { type Amount, minus, negate, plus, ZERO_AMOUNT } from '../kernel/money.ts';
import type { Bill, BillBook, BillKind } from '../messages/bills.ts';
import type { EventOf, LedgerLine } from '../messages/events.ts';
import type { FillRow } from '../messages/orders.ts';
import type { Category, EntryReason, HouseAccount, PositionMode } from '../messages/vocabulary.ts';
import { fillKind, futuresKind, NEUTRAL_REASONS, plainKind } from './bill-kinds.ts';
import type { RecordedEvent } from './history/recorded-events.ts';
import type { Listeners } from './view.ts';

/** Sources for the details of a bill that the entry lacks. */
export interface BillSources {
  readonly positionModeOf: (uid: Uid) => PositionMode;
  /** A wallet's total of a coin. */
  readonly walletHolds: (uid: Uid, coin: string) => Amount;
  /** A pair's total of a coin. */
  readonly pairHolds: (uid: Uid, symbol: string, coin: string) => Amount;
}

/** A bill whose kind and market are not known yet. */
interface Draft {
  readonly billId: Id;
  readonly uid: Uid;
  readonly coin: string;
  readonly pair: string | undefined;
  readonly reason: EntryReason;
  change: Amount;
  fee: Amount;
  balance: Amount;
}

/** The house account that receives the fee of an entry. */
const FEE_ACCOUNTS: { readonly [Reason in EntryReason]?: HouseAccount } = {
  trade: 'fees',
  openPosition: 'fees',
  closePosition: 'fees',
  withdrawalSent: 'withdrawals',
};

const amountOf = ({ change, fee }: Draft): Amount => minus(change, fee);

/**
 * Whether a draft belongs to this fill. If two orders of one user trade with each other, each gave
 * one coin and got the other.
 */
function isOfFill(draft: Draft, { uid, feeCoin }: FillRow): boolean {
  if (draft.uid !== uid) return false;
  if (draft.reason === 'trade') return (draft.coin === feeCoin) === amountOf(draft) >= 0n;
  return draft.reason === 'openPosition' || draft.reason === 'closePosition';
}

export class BillMaker {
  readonly #sources: BillSources;
  readonly #record: (bill: RecordedEvent) => void;
  #waiting: Draft[] = [];

  /** Must receive entries after the views whose balances it reads. */
  constructor(sources: BillSources, record: (bill: RecordedEvent) => void) {
    this.#sources = sources;
    this.#record = record;
  }

  readonly on: Listeners<'bills'> = {
    entryPosted: (entry) => this.#take(entry),
    fillSettled: ({ fill }) =>
      this.#settle(
        (draft) => isOfFill(draft, fill),
        (draft) => this.#traded(draft, fill),
      ),
    fundingCharged: ({ uid, category, symbol }) =>
      this.#settle(
        (draft) => draft.uid === uid && draft.reason === 'funding',
        (draft) =>
          this.#emit(draft, draft.change < 0n ? 'fundingOut' : 'fundingIn', category, symbol),
      ),
    positionChanged: ({ position: { uid, category, symbol } }) =>
      this.#settle(
        (draft) => draft.uid === uid && draft.reason === 'takeover',
        (draft) =>
          this.#emit(draft, draft.change < 0n ? 'takeoverOut' : 'takeoverIn', category, symbol),
      ),
    trackedOrderEnded: ({ order: { category, symbol } }) =>
      this.#settle(
        (draft) => draft.reason === 'profitShare',
        (draft) =>
          this.#emit(
            draft,
            draft.change < 0n ? 'profitShareOut' : 'profitShareIn',
            category,
            symbol,
          ),
      ),
  };

  /**
   * Called at the end of a part: an entry without a following event is emitted as a plain balance
   * change.
   */
  end(): void {
    this.#settle(
      () => true,
      (draft) => this.#emit(draft, 'other', undefined, draft.pair),
    );
  }

  #take({ reason, lines }: EventOf<'entryPosted'>): void {
    if (NEUTRAL_REASONS.has(reason)) return;
    const drafts = this.#draftsOf(reason, lines);
    this.#chargeFee(drafts, reason, lines);
    for (const draft of drafts)
      if (draft.change !== 0n || draft.fee !== 0n) this.#place(draft, lines);
  }

  #draftsOf(reason: EntryReason, lines: readonly LedgerLine[]): readonly Draft[] {
    const drafts: Draft[] = [];
    for (const { id, uid, coin, symbol, amount } of lines) {
      if (uid === undefined) continue;
      const known = drafts.find((draft) => draft.uid === uid && draft.pair === symbol);
      if (known !== undefined) known.change = plus(known.change, amount);
      else
        drafts.push({
          billId: id,
          uid,
          coin,
          pair: symbol,
          reason,
          change: amount,
          fee: ZERO_AMOUNT,
          balance: ZERO_AMOUNT,
        });
    }
    const { walletHolds, pairHolds } = this.#sources;
    for (const draft of drafts)
      draft.balance =
        draft.pair === undefined
          ? walletHolds(draft.uid, draft.coin)
          : pairHolds(draft.uid, draft.pair, draft.coin);
    return drafts;
  }

  /** The receiver pays the fee: in a spot trade, from the received coin. */
  #chargeFee(drafts: readonly Draft[], reason: EntryReason, lines: readonly LedgerLine[]): void {
    const account = FEE_ACCOUNTS[reason];
    const payer = drafts.length === 1 ? drafts[0] : drafts.find(({ change }) => change > 0n);
    if (account === undefined || payer === undefined) return;
    for (const line of lines)
      if (line.uid === undefined && line.account === account)
        payer.fee = minus(payer.fee, line.amount);
  }

  #place(draft: Draft, lines: readonly LedgerLine[]): void {
    const { reason, pair } = draft;
    if (reason === 'repay') return this.#repaid(draft, lines);
    if (reason === 'isolatedTransfer') {
      const kind = draft.change < 0n ? 'pairTransferOut' : 'pairTransferIn';
      return this.#emit(
        draft,
        kind,
        undefined,
        lines.find(({ symbol }) => symbol !== undefined)?.symbol,
      );
    }
    const kind = plainKind(reason, draft.change, pair !== undefined);
    if (kind === undefined) this.#waiting.push(draft);
    else this.#emit(draft, kind, pair === undefined ? loanCategory(kind) : 'MARGIN', pair);
  }

  /**
   * Principal and interest are separate bills: the interest bill has the id of the line that
   * credits the house.
   */
  #repaid(draft: Draft, lines: readonly LedgerLine[]): void {
    const line = lines.find(({ uid, account }) => uid === undefined && account === 'interest');
    const interest = line?.amount ?? ZERO_AMOUNT;
    const principal = {
      ...draft,
      change: plus(draft.change, interest),
      balance: plus(draft.balance, interest),
    };
    if (principal.change !== 0n) this.#emit(principal, 'repay', 'MARGIN', draft.pair);
    if (line !== undefined)
      this.#emit(
        { ...draft, billId: line.id, change: negate(interest) },
        'interest',
        'MARGIN',
        draft.pair,
      );
  }

  #traded(draft: Draft, fill: FillRow): void {
    const isOpening = draft.reason === 'openPosition';
    const kind =
      draft.reason === 'trade'
        ? fillKind(fill.side, amountOf(draft))
        : futuresKind(fill, isOpening, this.#sources.positionModeOf(fill.uid));
    this.#emit(draft, kind, fill.category, fill.symbol);
  }

  #settle(isMeant: (draft: Draft) => boolean, settle: (draft: Draft) => void): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    for (const draft of waiting) {
      if (isMeant(draft)) settle(draft);
      else this.#waiting.push(draft);
    }
  }

  #emit(
    draft: Draft,
    kind: BillKind,
    category: Category | undefined,
    market: string | undefined,
  ): void {
    const { billId, uid, coin, fee, balance, pair } = draft;
    const book: BillBook = pair === undefined ? 'wallet' : 'pair';
    const bill: Bill = {
      billId,
      uid,
      coin,
      book,
      kind,
      amount: amountOf(draft),
      fee,
      balance,
      category,
      market,
    };
    this.#record({ type: 'billRecorded', bill });
  }
}

/** Wallet loans are listed under margin, for any purpose. */
const loanCategory = (kind: BillKind): Category | undefined =>
  kind === 'borrow' ? 'MARGIN' : undefined;
