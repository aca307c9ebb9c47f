/** The name of each core field in each API version, for refusals. */
import { type Refused, type Result, refuse } from '../kernel/result.ts';
import type { CommandField, FieldWord, ListingField } from '../messages/command-fields.ts';
import type { Rejection } from '../messages/rejections.ts';
import type { Dialect } from './dialects.ts';
import { type WireRejection, wireRejection } from './wire-rejections.ts';

/** Fields of listings have the names of the core. A new word of another kind needs a row. */
type FieldNames = Readonly<Record<Exclude<FieldWord, ListingField>, string>>;

/** Field names of one call that differ from those of its version. */
export type CallNames = Readonly<Partial<Record<FieldWord, string>>>;

/** Also the names of broker and operator calls: their words have no v2 field. */
const v2: FieldNames = {
  size: 'size',
  price: 'price',
  orderType: 'orderType',
  positionSide: 'holdSide',
  loanType: 'loanType',
  clientOid: 'clientOid',
  newClientOid: 'newClientOid',
  orderId: 'orderId',
  kind: 'planType',
  triggerPrice: 'triggerPrice',
  callbackRate: 'callbackRatio',
  tpsl: 'tpsl',
  takeProfitTriggerPrice: 'stopSurplusTriggerPrice',
  takeProfitSource: 'stopSurplusTriggerType',
  takeProfitLimitPrice: 'stopSurplusExecutePrice',
  takeProfitSize: 'stopSurplusSize',
  stopLossTriggerPrice: 'stopLossTriggerPrice',
  stopLossSource: 'stopLossTriggerType',
  stopLossLimitPrice: 'stopLossExecutePrice',
  stopLossSize: 'stopLossSize',
  countdown: 'countdown',
  warn: 'warn',
  restrict: 'restrict',
  uid: 'uid',
  amount: 'amount',
  marginMode: 'marginMode',
  positionMode: 'posMode',
  longLeverage: 'longLeverage',
  shortLeverage: 'shortLeverage',
  name: 'name',
  email: 'email',
  areaCode: 'areaCode',
  mobile: 'mobile',
  parentUid: 'parentUid',
  referralCode: 'referralCode',
  apiKey: 'apiKey',
  sealedSecret: 'sealedSecret',
  passphraseHash: 'passphraseHash',
  publicKey: 'publicKey',
  addresses: 'ips',
  address: 'address',
  recipient: 'address',
  tag: 'tag',
  operator: 'operator',
  hash: 'hash',
  leader: 'traderId',
  followersMax: 'maxFollowers',
  profitShare: 'profitShare',
  symbols: 'symbols',
  mode: 'mode',
  settings: 'settings',
  sizing: 'traceType',
  value: 'traceValue',
  takeProfitRatio: 'stopSurplusRatio',
  stopLossRatio: 'stopLossRatio',
  trackingId: 'trackingNo',
  takeProfit: 'stopSurplusPrice',
  stopLoss: 'stopLossPrice',
  spotRatio: 'spotRatio',
  futuresRatio: 'futuresRatio',
  userShare: 'userShare',
  prices: 'prices',
  quotes: 'quotes',
  index: 'index',
  mark: 'mark',
  rates: 'rates',
  maker: 'maker',
  taker: 'taker',
  advanceMs: 'advanceMs',
  to: 'to',
  rate: 'rate',
  world: 'world',
  scene: 'scene',
  id: 'id',
  file: 'file',
  delayMs: 'delayMs',
  durationMs: 'durationMs',
  percent: 'percent',
  depth: 'depth',
  spread: 'spread',
  spanMs: 'spanMs',
  recording: 'recording',
  intervalMs: 'intervalMs',
  divideAt: 'divide',
};

/** The fields that v3 renames. */
const v3: FieldNames = {
  ...v2,
  size: 'qty',
  positionSide: 'posSide',
  positionMode: 'holdMode',
  kind: 'type',
  takeProfitTriggerPrice: 'takeProfit',
  takeProfitSource: 'tpTriggerBy',
  takeProfitLimitPrice: 'tpLimitPrice',
  takeProfitSize: 'qty',
  stopLossTriggerPrice: 'stopLoss',
  stopLossSource: 'slTriggerBy',
  stopLossLimitPrice: 'slLimitPrice',
  stopLossSize: 'qty',
};

export const fieldNames: Readonly<Record<Dialect, FieldNames>> = {
  v2,
  v3,
  broker: v2,
  operator: { ...v2, positionMode: 'holdMode' },
};

/** Each word of `settings[2].value` is replaced separately. */
function wireField(field: CommandField, version: Dialect, call: CallNames): string {
  const names: CallNames = fieldNames[version];
  const nameOf = (word: string) => call[word as FieldWord] ?? names[word as FieldWord] ?? word;
  return field.replace(/[a-z]+/gi, nameOf);
}

export const namedRejection = (
  { reason, field, detail }: Rejection,
  version: Dialect,
  call: CallNames = {},
): WireRejection =>
  wireRejection(reason, field === undefined ? undefined : wireField(field, version, call), detail);

/** The same result, with refusals that name the field of the call. */
export const namedResult = <Value>(
  result: Result<Value, Rejection>,
  version: Dialect,
  call?: CallNames,
): Result<Value, WireRejection> =>
  result.ok ? result : refuse(namedRejection(result.refusal, version, call));

/** A value whose refusals name the field of the call. */
export type Named<Value> =
  Value extends Refused<Rejection>
    ? Omit<Value, 'refusal'> & Refused<WireRejection>
    : Value extends readonly (infer Item)[]
      ? readonly Named<Item>[]
      : Value;
