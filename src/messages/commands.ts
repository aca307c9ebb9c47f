/**
 * The commands of the core, each with a number that the journal keeps forever. A new command takes
 * an unused number.
 */
import {
  appended,
  type Codec,
  flag,
  list,
  oneOf,
  optional,
  type RecordOf,
  record,
  text,
  whole,
} from '../kernel/codec.ts';
import type { DecimalText } from '../kernel/decimal-text.ts';
import type { ClientOid, Id, Uid } from '../kernel/ids.ts';
import type { Timestamp } from '../kernel/time.ts';
import { COPY_MODES, COPY_ROLES, copySettingCodec } from './copy-trading.ts';
import { FEE_MARKETS, levelFeesCodec } from './fees.ts';
import { coinCodec, instrumentCodec } from './listings.ts';
import {
  cancelling,
  cancellingFields,
  makerQuotesCodec,
  orderChangeFields,
  placing,
  placingFields,
  protectedDraftCodec,
} from './order-commands.ts';
import { recordingFields } from './recordings.ts';
import { makingCodec, sceneFields } from './scenes.ts';
import { exitDraftCodec, triggerChangeCodec, triggerDraftCodec } from './triggers.ts';
import {
  AFFILIATIONS,
  CATEGORIES,
  CHAIN_SIGHTINGS,
  FEE_CREDIT_KINDS,
  FUTURES_CATEGORIES,
  INSTRUMENT_STATUSES,
  LEVELS,
  MARGIN_MODES,
  PERMISSIONS,
  POSITION_MODES,
  POSITION_SIDES,
  RECIPIENT_KINDS,
  SELF_TRADE_MODES,
  TRIGGER_CATEGORIES,
  TRIGGER_KINDS,
  WITHDRAWAL_DECISIONS,
} from './vocabulary.ts';
import { moneyOutFields, onChainFields } from './withdrawals.ts';

type Fields = Readonly<Record<string, Codec<unknown>>>;
interface CommandRow<Table extends Fields> {
  readonly code: number;
  readonly codec: Codec<RecordOf<Table>>;
}
const row = <Table extends Fields>(
  code: number,
  fields: Table,
  spelled?: Codec<RecordOf<Table>>,
): CommandRow<Table> => ({
  code,
  codec: record(fields, spelled),
});

const decimal = text<DecimalText>();
const uid = whole<Uid>();
const clientOid = optional(text<ClientOid>());
const prices = list(
  record({
    category: oneOf(CATEGORIES),
    symbol: text(),
    index: optional(decimal),
    mark: optional(decimal),
    releaseMark: flag,
    force: flag,
  }),
);

export const commandTable = {
  /** Advances time: everything that has fallen due runs. */
  tick: row(1, {}),
  listCoin: row(2, { coin: coinCodec, operator: appended(text()) }),
  listInstrument: row(3, { instrument: instrumentCodec }),
  setInstrumentStatus: row(4, {
    category: oneOf(CATEGORIES),
    symbol: text(),
    status: oneOf(INSTRUMENT_STATUSES),
  }),
  createUser: row(5, {
    name: optional(text()),
    email: optional(text()),
    areaCode: optional(text()),
    mobile: optional(text()),
    level: oneOf(LEVELS),
    referralCode: optional(text()),
    positionMode: oneOf(POSITION_MODES),
    parentUid: optional(uid),
  }),
  /** The secret is sealed and the passphrase hashed, so the journal holds neither in plain text. */
  createKey: row(6, {
    uid,
    apiKey: text(),
    sealedSecret: text(),
    passphraseHash: text(),
    permissions: list(oneOf(PERMISSIONS)),
    addresses: list(text()),
    publicKey: optional(text()),
  }),
  revokeKey: row(7, { apiKey: text() }),
  deposit: row(8, { uid, coin: text(), size: decimal, clientOid, operator: appended(text()) }),
  setPrices: row(9, { prices }),
  /**
   * `wall` is the wall-clock time of the request. Unfreezing continues from the frozen time, so the
   * offset follows from it.
   */
  moveClock: row(10, {
    wall: whole<Timestamp>(),
    advanceMs: optional(whole()),
    to: optional(whole<Timestamp>()),
    frozen: optional(flag),
    /** Seconds of exchange time per second of wall-clock time. */
    rate: appended(whole()),
  }),
  switchMarket: row(11, { on: flag }),
  setLeverage: row(12, {
    uid,
    category: oneOf(FUTURES_CATEGORIES),
    symbol: text(),
    leverage: decimal,
    side: optional(oneOf(POSITION_SIDES)),
    /** The expected margin mode; the command is refused if the current one differs. */
    marginMode: appended(oneOf(MARGIN_MODES)),
  }),
  setCoinLeverage: row(13, { uid, coin: text(), leverage: decimal }),
  setMarginMode: row(14, {
    uid,
    category: oneOf(FUTURES_CATEGORIES),
    symbol: text(),
    marginMode: oneOf(MARGIN_MODES),
  }),
  setPositionMode: row(15, { uid, positionMode: oneOf(POSITION_MODES) }),
  /**
   * Marks the seed data (listings, users and money) as complete; a second time is refused
   * (`worldOpen`).
   */
  openWorld: row(16, { world: text() }),
  /** Placed in this order, each with its own result. */
  placeOrders: row(17, placingFields, placing),
  /** With a market, only orders of that market are found. */
  cancelOrders: row(18, cancellingFields, cancelling),
  /** All orders of a category, or of one symbol in it. */
  cancelAllOrders: row(19, {
    uid,
    category: oneOf(CATEGORIES),
    symbol: optional(text()),
    marginCoin: appended(text()),
  }),
  /** Closes at market, reduce-only. */
  closePositions: row(20, {
    uid,
    category: oneOf(FUTURES_CATEGORIES),
    symbol: optional(text()),
    side: optional(oneOf(POSITION_SIDES)),
  }),
  adjustMargin: row(21, {
    uid,
    category: oneOf(FUTURES_CATEGORIES),
    symbol: text(),
    side: optional(oneOf(POSITION_SIDES)),
    amount: decimal,
    direction: oneOf(['add', 'remove']),
  }),
  /** Thresholds of the daily number of orders; a missing one is off. */
  setDailyOrders: row(22, { warn: optional(whole()), restrict: optional(whole()) }),
  setSelfTradeMode: row(23, { uid, selfTradeMode: oneOf(SELF_TRADE_MODES) }),
  /** Moves money into a pair of isolated spot margin, or back. */
  transferIsolated: row(24, {
    uid,
    symbol: text(),
    coin: text(),
    amount: decimal,
    direction: oneOf(['in', 'out']),
    clientOid,
  }),
  borrowIsolated: row(25, { uid, symbol: text(), coin: text(), amount: decimal }),
  /** At most the debt. */
  repayIsolated: row(26, { uid, symbol: text(), coin: text(), amount: decimal }),
  /** Both sides of a symbol at once, or neither. */
  setSideLeverages: row(27, {
    uid,
    category: oneOf(FUTURES_CATEGORIES),
    symbol: text(),
    longLeverage: decimal,
    shortLeverage: decimal,
    /** As in `setLeverage`. */
    marginMode: appended(oneOf(MARGIN_MODES)),
  }),
  /** Like `placeOrders`, with attached take-profit or stop-loss. */
  placeProtectedOrders: row(28, {
    uid,
    category: oneOf(FUTURES_CATEGORIES),
    orders: list(protectedDraftCodec),
  }),
  /** Changes the price or size of an open order. */
  modifyOrder: row(29, orderChangeFields),
  placeTrigger: row(30, { uid, category: oneOf(TRIGGER_CATEGORIES), trigger: triggerDraftCodec }),
  /**
   * Take-profit and stop-loss of one position side: all or none. When one of two fires, the other
   * is cancelled.
   */
  placeTpsl: row(31, {
    uid,
    category: oneOf(FUTURES_CATEGORIES),
    symbol: text(),
    side: oneOf(POSITION_SIDES),
    selfTradeMode: optional(oneOf(SELF_TRADE_MODES)),
    tpsl: list(exitDraftCodec),
  }),
  /**
   * By name, each with its own result; without names, all of those kinds. No kinds means every
   * kind.
   */
  cancelTriggers: row(32, {
    uid,
    category: oneOf(TRIGGER_CATEGORIES),
    symbol: optional(text()),
    kinds: list(oneOf(TRIGGER_KINDS)),
    triggers: optional(list(record({ triggerId: optional(whole<Id>()), clientOid }))),
    marginCoin: appended(text()),
    /** Only these symbols. */
    symbols: appended(list(text())),
  }),
  /**
   * `exit`: the trigger must be a take-profit or stop-loss. `kind` and `marginCoin`: it must match
   * these to be found.
   */
  changeTrigger: row(33, {
    uid,
    category: oneOf(TRIGGER_CATEGORIES),
    symbol: optional(text()),
    exit: flag,
    triggerId: optional(whole<Id>()),
    clientOid,
    change: triggerChangeCodec,
    kind: appended(oneOf(TRIGGER_KINDS)),
    marginCoin: appended(text()),
  }),
  /**
   * Cancels all open orders of a user after so many milliseconds, unless it is set again before; 0
   * disables it.
   */
  setCountdown: row(34, { uid, ms: whole() }),
  /**
   * On chain. The caller has checked the form of the address; checks that need state are made here.
   */
  requestWithdrawal: row(40, onChainFields),
  /** To another user, at once. */
  transferToUser: row(41, {
    ...moneyOutFields,
    recipientKind: oneOf(RECIPIENT_KINDS),
    recipient: text(),
    areaCode: optional(text()),
  }),
  cancelWithdrawal: row(42, { uid, orderId: optional(whole<Id>()), clientOid }),
  decideWithdrawal: row(43, {
    orderId: whole<Id>(),
    decision: oneOf(WITHDRAWAL_DECISIONS),
    operator: text(),
    hash: optional(text()),
  }),
  /**
   * Recorded before the chain connector is asked: accepted once per order, and durable before the
   * request.
   */
  askChain: row(44, { orderId: whole<Id>() }),
  reportChain: row(45, {
    orderId: whole<Id>(),
    sighting: oneOf(CHAIN_SIGHTINGS),
    hash: optional(text()),
    confirmations: whole(),
  }),
  /** The kill switch for withdrawals of a coin. */
  switchWithdrawals: row(46, { coin: text(), on: flag, operator: text() }),
  /** The known reserve of a coin; without an amount it is not monitored. */
  setReserve: row(47, { coin: text(), amount: optional(decimal), operator: text() }),
  /**
   * Makes a user a leader, or changes the settings of one. The defaults are all futures and the
   * most followers allowed.
   */
  makeLeader: row(50, {
    uid,
    profitShare: decimal,
    symbols: optional(list(text())),
    followersMax: optional(whole()),
  }),
  /** Follows a leader, or changes how: the settings replace those for the same symbols. */
  setCopySettings: row(51, {
    uid,
    leader: uid,
    mode: oneOf(COPY_MODES),
    autoCopy: optional(flag),
    settings: list(copySettingCodec),
  }),
  /** Stops copying new orders; open copies continue. */
  unfollow: row(52, { uid, leader: uid }),
  /** Zero removes a price; a missing one is unchanged. */
  setTrackedOrderTpsl: row(53, {
    uid,
    role: oneOf(COPY_ROLES),
    trackingId: whole<Id>(),
    category: oneOf(FUTURES_CATEGORIES),
    takeProfit: optional(decimal),
    stopLoss: optional(decimal),
    symbol: appended(text()),
  }),
  /** Closes open tracked orders at market: those that match every given field. */
  closeTrackedOrders: row(54, {
    uid,
    role: oneOf(COPY_ROLES),
    category: oneOf(FUTURES_CATEGORIES),
    trackingId: optional(whole<Id>()),
    symbol: optional(text()),
    side: optional(oneOf(POSITION_SIDES)),
    marginMode: optional(oneOf(MARGIN_MODES)),
    marginCoin: optional(text()),
  }),
  /** Makes a user an agent, or changes the agent's rates. */
  makeAgent: row(60, {
    uid,
    affiliation: oneOf(AFFILIATIONS),
    spotRatio: decimal,
    futuresRatio: decimal,
    userShare: optional(decimal),
  }),
  /** Gives a user a credit to pay fees with. */
  grantFeeCredit: row(61, { uid, coin: text(), kind: oneOf(FEE_CREDIT_KINDS), size: decimal }),
  /** Fee rates of levels; missing levels are unchanged. */
  setFees: row(62, { market: oneOf(FEE_MARKETS), rates: list(levelFeesCodec) }),
  /** The simulated market plays a scene in a symbol. */
  playScene: row(70, sceneFields),
  /** A scene has ended or was stopped. */
  endScene: row(71, { id: whole<Id>() }),
  /** How the simulated market makes a symbol's book. */
  setMaking: row(72, { category: oneOf(CATEGORIES), symbol: text(), making: makingCodec }),
  /** A running scene halts its symbol, or pins its mark price. */
  holdScene: row(73, { id: whole<Id>(), mark: optional(decimal) }),
  /** Gives every symbol that has a price a past that ends now. */
  setPast: row(80, { seed: whole(), spanMs: whole() }),
  /**
   * Prices, and the market makers' quotes for them. The quotes enter the book before any trigger
   * acts on the prices.
   */
  setPricesWithQuotes: row(84, { prices, quotes: list(makerQuotesCodec) }),
  /** A transfer between account types that are one wallet here. */
  transferWithin: row(85, { uid, coin: text(), amount: decimal, clientOid }),
  /**
   * Uses a recording as the past of a symbol, the price path of its coin, or both. Its file is
   * stored beside the journal.
   */
  importRecording: row(81, recordingFields),
  /** The price path of a coin has ended or was stopped. */
  endRecordedPath: row(82, { coin: text() }),
} as const;

export type CommandType = keyof typeof commandTable;
type FieldsOf<Row> = Row extends CommandRow<infer Table> ? RecordOf<Table> : never;
export type CommandOf<Type extends CommandType> = { readonly type: Type } & FieldsOf<
  (typeof commandTable)[Type]
>;
export type Command = { [Type in CommandType]: CommandOf<Type> }[CommandType];
