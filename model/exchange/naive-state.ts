import type { NaiveAttached } from './naive-attached-tpsl.ts';

/** State of the naive exchange: plain lists of plain values, always searched from the front. */
export type Side = 'buy' | 'sell';
export type PositionSide = 'long' | 'short';

export type NaiveStatus = 'normal' | 'halted' | 'cancelOnly' | 'off';

/** Limits of orders. */
export interface NaiveLimits {
  sizeMin: bigint;
  sizeMax: bigint;
  marketSizeMax: bigint;
  /** Largest distance of a price from the reference price. */
  band: bigint;
}

/** New values of a listing. */
export interface NaiveSpec extends NaiveLimits {
  tiers: readonly {
    readonly from: bigint;
    readonly to: bigint;
    readonly leverage: bigint;
    readonly rate: bigint;
  }[];
  fundingHours: number;
  fundingRateMax: bigint;
  /** Largest leverage of a pair of isolated margin. */
  pairLeverage: bigint;
}

export interface NaiveInstrument extends NaiveSpec {
  readonly category: 'SPOT' | 'USDT-FUTURES' | 'COIN-FUTURES' | 'USDC-FUTURES';
  readonly symbol: string;
  readonly base: string;
  /** Coin of margin, profit and fees of a future. */
  readonly coin: string;
  readonly tick: bigint;
  readonly lot: bigint;
  /** For a spot symbol on margin. */
  onMargin: NaiveLimits;
  /** Fee rates of all users, as maker and as taker. */
  maker: bigint;
  taker: bigint;
}

export interface NaiveWallet {
  available: bigint;
  locked: bigint;
  margin: bigint;
  debt: bigint;
  interest: bigint;
  /** Part of the debt that comes from position losses and has no maintenance requirement. */
  exemptPrincipal: bigint;
  /** During a takeover: cost of closes beyond the available balance. */
  takeoverLoan: bigint;
}

/** Balance and debt of a pair in one of its coins. */
export interface NaivePairWallet {
  free: bigint;
  locked: bigint;
  debt: bigint;
  interest: bigint;
}

/** Open loan of an order, identified by the order's hold. */
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
  /** In the order of their orders. */
  loans: NaivePairLoan[];
  /** Rank by start of the debt, among all pairs. */
  since: number;
  /** Rank by start of the debt, among pairs of the symbol. */
  symbolSince: number;
}

export interface NaiveUser {
  readonly name: number;
  readonly owner: number;
  hedge: boolean;
  /** Self-trade prevention mode if the order gives none. */
  selfTrade: string;
  /** Loan leverage by coin. */
  readonly loans: Record<string, bigint>;
  readonly wallets: Record<string, NaiveWallet>;
  /** By symbol: margin mode, leverage, and leverage of single sides. */
  readonly settings: Record<
    string,
    { isolated: boolean; leverage: bigint; sides: { long?: bigint; short?: bigint } }
  >;
  /** By symbol, once used. */
  pairs?: Record<string, NaivePair>;
}

export interface NaiveOrder {
  /** In order of acceptance. */
  readonly number: number;
  /** At one price the lower place trades first. */
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
  /** A forced close, sent by the exchange. */
  readonly forced: boolean;
  /** The proceeds belong to the takeover, not to the user. */
  readonly takesOver: boolean;
  /** Goes no further beyond mark than where nothing is left for the clearing levy. */
  readonly leavesNothing: boolean;
  /** Client id. */
  readonly name?: string | undefined;
  /** A spot order on margin. */
  readonly onMargin: boolean;
  /** Only for orders on isolated spot margin. */
  readonly loanType?: string | undefined;
  leverage: bigint;
  /** Until its symbol resumes. */
  waits: boolean;
  left: bigint;
  filled: bigint;
  spent: bigint;
  /** The hold: of a wallet, of a pair, or margin that only counts; and the size it covers. */
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
  /** Received less paid; undefined until the first funding. */
  funding: bigint | undefined;
}

export interface NaiveTrade {
  readonly maker: number;
  readonly taker: number;
  readonly price: bigint;
  readonly size: bigint;
}

/** A due event; at equal times the one requested first runs first. */
export interface NaiveTimer {
  readonly due: number;
  /** The funded future; undefined for interest. */
  readonly funds: NaiveInstrument | undefined;
  /** User whose countdown ends; it runs after other timers of the same time. */
  readonly countdownOf?: NaiveUser;
  /** Interest of pairs. */
  readonly pairs?: true;
}

/** Premium samples of a book: the last one, and the sum since the last funding. */
export interface NaivePremium {
  seen: bigint;
  sum: bigint;
  /** Number of samples in the sum. */
  looks: number;
}

/** Index prices by coin and mark prices by symbol. */
export interface NaivePrices {
  readonly indexes: Readonly<Record<string, bigint>>;
  readonly marks: Readonly<Record<string, bigint>>;
  /** Symbols whose marks follow the index again. */
  readonly released?: readonly string[];
}

/** Balances of the house in a coin. */
export interface NaiveHouse {
  fees: bigint;
  interest: bigint;
  insurance: bigint;
}

/** Calls to copy trading, and the money it reserves. */
export interface NaiveTracking {
  opened(
    order: NaiveOrder,
    fill: { readonly price: bigint; readonly size: bigint; readonly fee: bigint },
  ): void;
  /** The position is reduced already; `order` is missing for closes outside the book. */
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
  /** An order may rest, or the allowed prices have changed. */
  wake(instrument: NaiveInstrument): void;
  takeoverBegins(position: NaivePosition): void;
  /** `brought` is the proceeds after fees. */
  takenOver(brought: bigint): void;
  /** Runs queued mirroring and liquidates accounts at risk. */
  doPortion(): void;
  isBehind(): boolean;
  readonly slice: number | undefined;
  /** Runs before the user's command. */
  settleOwn(user: NaiveUser): void;
  /** Profit shares due of ended copies, in dollars; orders cannot spend them. */
  sharesDue(user: NaiveUser): bigint;
  /** In dollars. */
  sharesReserved(user: NaiveUser): bigint;
}

/** Results of one command. */
export interface NaiveReport {
  readonly answers: string[];
  readonly trades: NaiveTrade[];
  /** Order number, and `filled` or the reason of the cancellation. */
  readonly ends: [number, string][];
  /** Symbol and rate. */
  readonly fundings: string[];
  /** User, equity and maintenance. */
  readonly liquidations: string[];
  /** Ends of triggers, in order. */
  readonly triggers: [number, string][];
  /** Names of other results, for counters. */
  readonly happened: string[];
  /** Whether the last risk check failed because a price is stale. */
  failedAtStalePrice: boolean;
}

/** A forced market order in a user's name: it holds nothing and never rests. */
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
