/**
 * The closed list of fields that a refusal may name, in the words of the core. Only
 * `contract/field-names.ts` has their names in each API version.
 */
import type { Chain, Coin, Instrument, Tier } from './listings.ts';

/** Fields of coins and instruments, which an operator lists. */
export type ListingField =
  | keyof Instrument
  | keyof Tier
  | keyof Coin
  | keyof Chain
  | 'level'
  | 'limit';

/** Of orders, of triggers, and of what takes a profit or stops a loss. */
type TradingField =
  | 'symbol'
  | 'size'
  | 'price'
  | 'orderType'
  | 'positionSide'
  | 'loanType'
  | 'clientOid'
  | 'newClientOid'
  | 'orderId'
  | 'kind'
  | 'triggerPrice'
  | 'callbackRate'
  | 'tpsl'
  | 'takeProfitTriggerPrice'
  | 'takeProfitSource'
  | 'takeProfitLimitPrice'
  | 'takeProfitSize'
  | 'stopLossTriggerPrice'
  | 'stopLossSource'
  | 'stopLossLimitPrice'
  | 'stopLossSize'
  | 'countdown'
  | 'warn'
  | 'restrict';

/** Of an account: its settings, its contacts, its keys, and money that moves. */
type AccountField =
  | 'uid'
  | 'coin'
  | 'amount'
  | 'marginMode'
  | 'positionMode'
  | 'longLeverage'
  | 'shortLeverage'
  | 'name'
  | 'email'
  | 'areaCode'
  | 'mobile'
  | 'parentUid'
  | 'referralCode'
  | 'apiKey'
  | 'sealedSecret'
  | 'passphraseHash'
  | 'publicKey'
  | 'addresses'
  | 'address'
  | 'recipient'
  | 'tag'
  | 'operator'
  | 'hash';

/** Of copy trading and of agents. */
type SharingField =
  | 'leader'
  | 'followersMax'
  | 'profitShare'
  | 'symbols'
  | 'mode'
  | 'settings'
  | 'sizing'
  | 'value'
  | 'takeProfitRatio'
  | 'stopLossRatio'
  | 'trackingId'
  | 'takeProfit'
  | 'stopLoss'
  | 'spotRatio'
  | 'futuresRatio'
  | 'userShare';

/** Of prices, fees, the clock and the simulated market. */
type MarketField =
  | 'prices'
  | 'quotes'
  | 'index'
  | 'mark'
  | 'rates'
  | 'maker'
  | 'taker'
  | 'advanceMs'
  | 'to'
  | 'rate'
  | 'world'
  | 'scene'
  | 'id'
  | 'file'
  | 'delayMs'
  | 'durationMs'
  | 'percent'
  | 'depth'
  | 'spread'
  | 'spanMs'
  | 'recording'
  | 'intervalMs'
  | 'divideAt';

export type FieldWord = ListingField | TradingField | AccountField | SharingField | MarketField;

/** Where a refusal may name one row of a list. */
type ListWord = 'chains' | 'dailyLimitsUsd' | 'prices' | 'rates' | 'settings' | 'tiers';
export type RowPlace = `${ListWord}[${number}]`;

/** A field, or a field of one row of a list. */
type FieldPlace = FieldWord | `${RowPlace}.${FieldWord}`;

/** The last two stand for two fields of which one is required. */
export type CommandField =
  | FieldPlace
  | 'index, mark'
  | `prices[${number}].index, prices[${number}].mark`;
