import type { NaiveAttached } from './naive-ways-out.ts';

/**
 * What the naive exchange keeps: plain lists of plain values, searched from front to back whenever
 * something is asked.
 */
export type Side = 'buy' | 'sell';
export type PositionSide = 'long' | 'short';

export type NaiveStatus = 'normal' | 'halted' | 'cancelOnly' | 'off';

/** What orders are held against. */
export interface NaiveLimits {
  sizeMin: bigint;
  sizeMax: bigint;
  marketSizeMax: bigint;
  /** How far prices may lie from the reference price, either way. */
  band: bigint;
}

/** What a listing says anew. */
export interface NaiveSpec extends NaiveLimits {
  tiers: readonly {
    readonly from: bigint;
    readonly to: bigint;
    readonly leverage: bigint;
    readonly rate: bigint;
  }[];
  fundingHours: number;
  fundingRateMax: bigint;
  /** What a pair of isolated margin may borrow up to, where there are pairs. */
  pairLeverage: bigint;
}

export interface NaiveInstrument extends NaiveSpec {
  readonly category: 'SPOT' | 'USDT-FUTURES' | 'COIN-FUTURES' | 'USDC-FUTURES';
  readonly symbol: string;
  readonly base: string;
  /** In which margin, profit and fees of a future are paid. */
  readonly coin: string;
  readonly tick: bigint;
  readonly lot: bigint;
  /** Of a spot symbol on margin. */
  onMargin: NaiveLimits;
  /** What everybody who trades in it pays, as the one or the other. */
  maker: bigint;
  taker: bigint;
}

export interface NaiveWallet {
  available: bigint;
  locked: bigint;
  margin: bigint;
  debt: bigint;
  interest: bigint;
  /** Of the debt, what positions have cost and nothing is kept up for. */
  exemptPrincipal: bigint;
  /** While a position is taken over, what its closes cost beyond what was available. */
  lent: bigint;
}

/** What a pair of isolated spot margin has of one of its coins, and owes of it. */
export interface NaivePairWallet {
  free: bigint;
  locked: bigint;
  debt: bigint;
  interest: bigint;
}

/** What was borrowed for an open order, named by what it holds, and is not paid back yet. */
export interface NaivePairLoan {
  readonly hold: NaiveOrder['hold'];
  readonly coin: string;
  left: bigint;
}

export interface NaivePair {
  readonly user: NaiveUser;
  readonly instrument: NaiveInstrument;
  readonly base: string;
  readonly quote: string;
  readonly wallets: Record<string, NaivePairWallet>;
  /** In the order in which their orders came. */
  loans: NaivePairLoan[];
  /** Later than those of pairs that began to owe before. */
  since: number;
  /** The same of its symbol, of which others may have owed before. */
  symbolSince: number;
}

export interface NaiveUser {
  readonly name: number;
  readonly owner: number;
  hedge: boolean;
  /** What happens where he would trade with himself and an order of his does not say. */
  selfTrade: string;
  /** The leverage at which he borrows, by coin. */
  readonly loans: Record<string, bigint>;
  readonly wallets: Record<string, NaiveWallet>;
  /** By symbol: margin mode and leverage, and what was set for a side alone. */
  readonly settings: Record<
    string,
    { isolated: boolean; leverage: bigint; sides: { long?: bigint; short?: bigint } }
  >;
  /** By symbol, once they were used. */
  pairs?: Record<string, NaivePair>;
}

export interface NaiveOrder {
  /** In the order they were accepted. */
  readonly number: number;
  /** Of two at one price the lower one comes first. */
  place: number;
  readonly user: NaiveUser;
  readonly instrument: NaiveInstrument;
  readonly side: Side;
  readonly market: boolean;
  readonly timeInForce: string;
  limit: bigint;
  size: bigint;
  readonly quote: bigint | undefined;
  readonly positionSide: PositionSide | undefined;
  readonly closes: boolean;
  readonly reduceOnly: boolean;
  readonly stp: string;
  readonly isolated: boolean;
  /** Sent by the exchange itself to close what must be closed. */
  readonly forced: boolean;
  /** What it brings is not its user's. */
  readonly takesOver: boolean;
  /** Goes no further beyond mark than where it has nothing to leave to clearing. */
  readonly leavesNothing: boolean;
  /** What its user calls it. */
  readonly name?: string | undefined;
  /** Of the spot book, on margin. */
  readonly onMargin: boolean;
  /** Of an order on isolated spot margin alone. */
  readonly loanType?: string | undefined;
  leverage: bigint;
  /** Until its symbol trades again. */
  waits: boolean;
  left: bigint;
  filled: bigint;
  spent: bigint;
  /** What is set aside: of the wallet or a pair, or only counted; and for how much of its size. */
  hold: { kind: 'none' | 'wallet' | 'margin' | 'pair'; coin: string; amount: bigint; size: bigint };
  attached?: NaiveAttached | undefined;
}

export interface NaivePosition {
  readonly user: NaiveUser;
  readonly instrument: NaiveInstrument;
  readonly side: PositionSide;
  readonly isolated: boolean;
  leverage: bigint;
  size: bigint;
  /** Σ price × size, at 10^-20. */
  cost: bigint;
  margin: bigint;
  realised: bigint;
  openFees: bigint;
  closeFees: bigint;
  /** Received so far, less what was paid; nothing until the first. */
  funding: bigint | undefined;
}

export interface NaiveTrade {
  readonly maker: number;
  readonly taker: number;
  readonly price: bigint;
  readonly size: bigint;
}

/** Something that happens at a time; of two at one time the one asked for first. */
export interface NaiveTimer {
  readonly due: number;
  /** The future that is funded; none for interest. */
  readonly funds: NaiveInstrument | undefined;
  /** Whose countdown ends; others fall due before it. */
  readonly silent?: NaiveUser;
  /** Interest of pairs. */
  readonly pairs?: true;
}

/**
 * What the looks at a book have said: the last one, and the sum of what held for five seconds each
 * since the last funding, while it was held.
 */
export interface NaivePremium {
  seen: bigint;
  sum: bigint;
  /** How many looks are summed up. */
  looks: number;
}

/** Index prices by coin and mark prices by symbol. */
export interface NaivePrices {
  readonly indexes: Readonly<Record<string, bigint>>;
  readonly marks: Readonly<Record<string, bigint>>;
  /** Symbols whose marks are what the index says again. */
  readonly released?: readonly string[];
}

/** What the exchange itself has of a coin. */
export interface NaiveHouse {
  fees: bigint;
  interest: bigint;
  insurance: bigint;
}

/** What copy trading is told of, and what it keeps an account from spending. */
export interface NaiveTracking {
  opened(
    order: NaiveOrder,
    fill: { readonly price: bigint; readonly size: bigint; readonly fee: bigint },
  ): void;
  /**
   * The position has been reduced already; there is no order when that was done outside the book.
   */
  closed(
    fill: {
      readonly position: NaivePosition;
      readonly size: bigint;
      readonly price: bigint;
      readonly fee: bigint;
      readonly due?: bigint;
    },
    order?: NaiveOrder,
  ): void;
  orderEnded(order: NaiveOrder, reason: string): void;
  traded(taker: NaiveOrder, price: bigint): void;
  /** An order may come to rest, or the prices that orders may have are others. */
  wake(instrument: NaiveInstrument): void;
  takeoverBegins(position: NaivePosition): void;
  /** So much is what it has brought its holder, fees paid. */
  takenOver(brought: bigint): void;
  /** Does what is in line to be mirrored, and whoever that leaves at risk is liquidated. */
  doPortion(): void;
  isBehind(): boolean;
  readonly slice: number | undefined;
  /** Before he does anything else. */
  settleOwn(user: NaiveUser): void;
  /** What his leaders get of copies that have ended, in dollars: out of the reach of his orders. */
  aboutToPay(user: NaiveUser): bigint;
  /** In dollars. */
  keptReady(user: NaiveUser): bigint;
}

/** What one command did. */
export interface NaiveReport {
  readonly answers: string[];
  readonly trades: NaiveTrade[];
  /** Order number and `filled` or why it was cancelled. */
  readonly ends: [number, string][];
  /** Symbol and rate. */
  readonly fundings: string[];
  /** Of whom, with equity and maintenance. */
  readonly liquidations: string[];
  /** What became of those that wait for a price, in the order in which it did. */
  readonly triggers: [number, string][];
  /** What else is worth counting, by name. */
  readonly happened: string[];
}

/**
 * An order at market in somebody's name, which holds nothing and never rests, as the exchange makes
 * it.
 */
export function madeOrder(
  made: Pick<NaiveOrder, 'user' | 'instrument' | 'side' | 'limit' | 'size'> & Partial<NaiveOrder>,
): NaiveOrder {
  return {
    number: -1,
    place: -1,
    market: true,
    timeInForce: 'gtc',
    quote: undefined,
    positionSide: undefined,
    closes: false,
    reduceOnly: false,
    stp: 'none',
    isolated: false,
    leverage: 0n,
    waits: false,
    forced: false,
    takesOver: false,
    leavesNothing: false,
    onMargin: false,
    left: made.size,
    filled: 0n,
    spent: 0n,
    hold: { kind: 'none', coin: '', amount: 0n, size: 0n },
    ...made,
  };
}
