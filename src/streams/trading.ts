/** Orders over a stream: each request is a call of an endpoint, in the envelope of its version. */
import { streamError } from '../contract/channels/stream-codes.ts';
import { type WireError, wireError } from '../contract/errors.ts';
import { isRawObject, type Raw, type RawObject } from '../contract/raw.ts';
import {
  ORDER_CHANNELS,
  ORDER_TOPICS,
  type OrderTopic,
  orderWindow,
} from '../contract/stream-orders.ts';
import { type WireRejection, wireRejection } from '../contract/wire-rejections.ts';
import { SUCCESS_CODE } from '../gateway/http/answers.ts';
import type { StreamCall } from '../gateway/stream-calls.ts';
import type { ExchangeNow } from '../gateway/submit.ts';
import type { Connection, Operation } from './connection.ts';
import { rawText } from './raw-text.ts';

/** A longer id or argument would be repeated in the answer. */
const REPEATED_LENGTH_MAX = 4_096;

type Failure = Pick<WireError, 'code' | 'msg'>;

const failure = (...error: Parameters<typeof streamError>): Failure => {
  const { code, msg } = streamError(...error);
  return { code: String(code), msg };
};
const NOT_LOGGED_IN = failure('loginMissing', 'orders need a login before them');

const badField = (version: 'v2' | 'v3', field: string, detail: string): Failure =>
  wireError(wireRejection('fieldInvalid', field, detail), 'en', version);

const itemsOf = (request: RawObject): readonly Raw[] => {
  const args = request.get('args');
  return Array.isArray(args) ? args : [];
};

const repeated = (raw: Raw): string => {
  const text = rawText(raw);
  return text.length > REPEATED_LENGTH_MAX ? 'null' : text;
};

/** The row of an order as REST answers it. */
interface AnsweredOrder {
  readonly orderId: string | null;
  readonly clientOid: string;
  readonly code?: string;
  readonly msg?: string;
}

/** The category of the request stands for that of each order. */
function withCategory(item: Raw, category: Raw): Raw {
  if (category === undefined || !isRawObject(item)) return item;
  return new Map([['category', category], ...item]);
}

const isOtherCategory = (item: Raw, category: Raw): boolean => {
  const own = isRawObject(item) ? item.get('category') : undefined;
  if (own === undefined || category === undefined) return false;
  return rawText(own).toLowerCase() !== rawText(category).toLowerCase();
};

/** What the fields around a v3 request ask for. */
function unifiedCall(
  request: RawObject,
  { endpoint, isBatch }: OrderTopic,
): Failure | Omit<StreamCall, 'caller'> {
  const items = itemsOf(request);
  const category = request.get('category');
  if (items.length === 0 || (!isBatch && items.length > 1))
    return badField('v3', 'args', isBatch ? 'it must be a list' : 'it must have one order');
  if (items.some((item) => isOtherCategory(item, category)))
    return badField('v3', 'category', 'it differs from that of an order');
  const [first] = items;
  const own = isRawObject(first) ? first.get('receiveWindow') : undefined;
  const window = orderWindow.decode(
    new Map([
      ['requestTime', request.get('requestTime')],
      ['receiveWindow', request.get('receiveWindow') ?? own],
    ]),
  );
  if (!window.ok) return refusalText(window.refusal);
  const orders = items.map((item) => withCategory(item, category));
  return { name: endpoint, raw: isBatch ? orders : orders[0], window: window.value };
}

const refusalText = (refusal: WireRejection): Failure => wireError(refusal, 'en', 'v3');

/** A refused item has its own code; the id of an order that does not exist is left out. */
function answeredRow(order: AnsweredOrder, item: Raw, isBatch: boolean, cTime: string) {
  const { orderId, clientOid, code = SUCCESS_CODE, msg = 'success' } = order;
  const symbol = isRawObject(item) ? item.get('symbol') : undefined;
  return {
    ...(typeof symbol === 'string' ? { symbol } : {}),
    ...(orderId === '' ? {} : { orderId }),
    clientOid,
    ...(code === SUCCESS_CODE ? { cTime } : {}),
    ...(isBatch ? { code: code === SUCCESS_CODE ? '0' : code, msg } : {}),
  };
}

function unifiedOperation(exchangeNow: ExchangeNow): Operation {
  return async (connection, request) => {
    const names = ['id', 'category', 'topic'] as const;
    const head = names.map((name) => `"${name}":${repeated(request.get(name))}`).join(',');
    const topicName = request.get('topic');
    const fail = ({ code, msg }: Failure): void =>
      connection.answer(
        `{"event":"error",${head},"code":"${code}","msg":${JSON.stringify(msg)},"ts":"${exchangeNow()}"}`,
      );

    const { caller } = connection;
    if (caller === undefined) return fail(NOT_LOGGED_IN);
    const topic = typeof topicName === 'string' ? ORDER_TOPICS.get(topicName) : undefined;
    if (topic === undefined)
      return fail(failure('notFound', `topic: ${rawText(topicName).slice(0, 64)} doesn't exist`));
    const call = unifiedCall(request, topic);
    if ('code' in call) return fail(call);
    const end = await connection.calls.carryOut({ ...call, caller });
    if (end.kind === 'cut') return connection.terminate();
    if (end.kind === 'error') return fail(end.error);
    const at = String(exchangeNow());
    const orders = (topic.isBatch ? end.data : [end.data]) as readonly AnsweredOrder[];
    const items = itemsOf(request);
    const rows = orders.map((order, place) => answeredRow(order, items[place], topic.isBatch, at));
    connection.answer(
      `{"event":"trade",${head},"args":${JSON.stringify(rows)},"code":"0","msg":"success","ts":"${at}"}`,
    );
  };
}

/** The fields of a v2 order as REST has them. */
function classicCall(arg: RawObject): Failure | Omit<StreamCall, 'caller'> {
  const channel = arg.get('channel');
  const names = typeof channel === 'string' ? ORDER_CHANNELS.get(channel) : undefined;
  if (names === undefined)
    return failure('notFound', `channel: ${rawText(channel).slice(0, 64)} doesn't exist`);
  const params = arg.get('params') ?? new Map();
  if (!isRawObject(params)) return badField('v2', 'params', 'it must be an object');
  const instType = arg.get('instType');
  const category = typeof instType === 'string' ? instType.toUpperCase() : '';
  const market: readonly (readonly [string, Raw])[] = [['symbol', arg.get('instId')]];
  if (category === 'SPOT') return { name: names.spot, raw: new Map([...params, ...market]) };
  if (!category.endsWith('-FUTURES')) return badField('v2', 'instType', 'SPOT or futures');
  return {
    name: names.futures,
    raw: new Map([...params, ...market, ['productType', instType]]),
  };
}

function classicOperation(exchangeNow: ExchangeNow): Operation {
  return async (connection, request) => {
    const args = itemsOf(request);
    const [arg] = args;
    const spelled = repeated(request.get('args'));
    const fail = ({ code, msg }: Failure): void =>
      connection.answer(
        `{"event":"error","arg":${spelled},"code":${Number(code)},"msg":${JSON.stringify(msg)},"ts":${exchangeNow()}}`,
      );

    const { caller } = connection;
    if (caller === undefined) return fail(NOT_LOGGED_IN);
    if (args.length !== 1 || !isRawObject(arg))
      return fail(badField('v2', 'args', 'it must have one order'));
    const call = classicCall(arg);
    if ('code' in call) return fail(call);
    const end = await connection.calls.carryOut({ ...call, caller });
    if (end.kind === 'cut') return connection.terminate();
    if (end.kind === 'error') return fail(end.error);
    const { orderId, clientOid } = end.data as AnsweredOrder;
    const names = ['id', 'instType', 'channel', 'instId'] as const;
    const known = names.map((name) => `"${name}":${rawText(arg.get(name))}`).join(',');
    const params = JSON.stringify({ orderId, clientOid });
    connection.answer(
      `{"event":"trade","arg":[{${known},"params":${params}}],"code":0,"msg":"Success","ts":${exchangeNow()}}`,
    );
  };
}

export function tradeOperation(exchangeNow: ExchangeNow): Operation {
  const operations = { v2: classicOperation(exchangeNow), v3: unifiedOperation(exchangeNow) };
  return (connection: Connection, request) => operations[connection.version](connection, request);
}
