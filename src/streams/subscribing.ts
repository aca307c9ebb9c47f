/** Subscribes and unsubscribes: one answer for each argument, in order. */
import { CHANNEL_FIELDS, type Channel } from '../contract/channels/channel.ts';
import { channelNamed, type NamedChannel } from '../contract/channels/channels.ts';
import { type StreamError, streamError } from '../contract/channels/stream-codes.ts';
import { wireError } from '../contract/errors.ts';
import { isRawObject, type Raw, type RawObject } from '../contract/raw.ts';
import { type WireRejection, wireRejection } from '../contract/wire-rejections.ts';
import { ok, type Result, refuse } from '../kernel/result.ts';
import type { Connection, Operation } from './connection.ts';
import { rawText } from './raw-text.ts';
import type { FoundStream, StreamTable } from './stream.ts';

const CHANNELS_MAX = 1_000;
/** A longer argument would be repeated in each push. */
const ARG_LENGTH_MAX = 1_024;

export interface SubscribingParts {
  readonly table: StreamTable;
  /** False if the number of channels is not limited. */
  readonly limits: boolean;
}

/** An argument with its stream. */
interface ReadArg {
  readonly spelling: string;
  readonly channel: NamedChannel;
  readonly found: FoundStream;
}

const wordsOf = (refusal: WireRejection, { version }: Channel): string =>
  wireError(refusal, 'en', version).msg;

/** The refusal of a channel whose permission the key of the connection does not have. */
function accessRefusal(
  row: Channel,
  arg: unknown,
  { caller }: Connection,
): StreamError | undefined {
  const access = typeof row.access === 'function' ? row.access(arg) : row.access;
  if (access === 'anybody' || caller?.permissions.has(access) === true) return undefined;
  const refusal = wireRejection('permissionMissing', undefined, access);
  return streamError('parameterWrong', wordsOf(refusal, row));
}

function channelOf(arg: RawObject, connection: Connection): Result<NamedChannel, StreamError> {
  const field = CHANNEL_FIELDS[connection.version];
  const name = arg.get(field);
  if (typeof name !== 'string' || name === '')
    return refuse(streamError('parameterWrong', `${field} is missing`));
  const channel = channelNamed(connection.version, name);
  if (channel === undefined)
    return refuse(streamError('notFound', `${field}: ${name} doesn't exist`));
  return channel.row.access === 'anybody' || connection.caller !== undefined
    ? ok(channel)
    : refuse(streamError('loginMissing', 'this channel needs a login before it'));
}

const argsOf = (request: RawObject): readonly Raw[] | undefined => {
  const args = request.get('args');
  return Array.isArray(args) && args.length > 0 ? args : undefined;
};

export function subscribingOperations({ table, limits }: SubscribingParts): {
  readonly subscribe: Operation;
  readonly unsubscribe: Operation;
} {
  const read = (connection: Connection, raw: Raw): ReadArg | undefined => {
    const spelling = rawText(raw);
    if (!isRawObject(raw) || spelling.length > ARG_LENGTH_MAX) {
      connection.answerError(streamError('parameterWrong', 'args has an invalid entry'));
      return undefined;
    }
    const channel = channelOf(raw, connection);
    if (!channel.ok) {
      connection.answerError(channel.refusal, spelling);
      return undefined;
    }
    const { row } = channel.value;
    const decoded = row.arg.decode(raw);
    if (!decoded.ok) {
      connection.answerError(streamError('notFound', wordsOf(decoded.refusal, row)), spelling);
      return undefined;
    }
    const refusal = accessRefusal(row, decoded.value, connection);
    if (refusal !== undefined) {
      connection.answerError(refusal, spelling);
      return undefined;
    }
    const found = table.find(channel.value, decoded.value, connection);
    if (found.ok) return { spelling, channel: channel.value, found: found.value };
    connection.answerError(found.refusal, spelling);
    return undefined;
  };

  const subscribe = (connection: Connection, { spelling, found }: ReadArg): void => {
    const { subscriptions, outbox } = connection;
    const known = subscriptions.get(found.name);
    if (known === undefined && limits && subscriptions.size >= CHANNELS_MAX)
      return connection.answerError(
        streamError('parameterWrong', `at most ${CHANNELS_MAX} channels per connection`),
        spelling,
      );
    connection.answer(`{"event":"subscribe","arg":${spelling}}`);
    if (known !== undefined) {
      if (known.spelling !== spelling) known.stream.spell(known, spelling);
      // Pushes of changes go on from what the client has.
      if (known.stream.isState) known.stream.show(known);
      return;
    }
    const stream = found.open();
    const fail = (): void => connection.fail();
    const subscription = { stream, outbox, spelling, fail };
    subscriptions.set(found.name, subscription);
    stream.add(subscription);
    stream.show(subscription);
  };

  const unsubscribe = (connection: Connection, { spelling, found }: ReadArg): void => {
    const known = connection.subscriptions.get(found.name);
    if (known !== undefined) {
      connection.subscriptions.delete(found.name);
      table.leave(known);
    }
    connection.answer(`{"event":"unsubscribe","arg":${spelling}}`);
  };

  /** One snapshot is prepared at a time. */
  const forEachArg =
    (run: (connection: Connection, arg: ReadArg) => void): Operation =>
    async (connection, request) => {
      const args = argsOf(request);
      if (args === undefined)
        return connection.answerError(streamError('parameterWrong', 'args is not a list'));
      for (const raw of args) {
        if (connection.isEnded) return;
        const arg = read(connection, raw);
        if (arg !== undefined) run(connection, arg);
        if (connection.outbox.isBehind) await connection.sent();
      }
    };

  return { subscribe: forEachArg(subscribe), unsubscribe: forEachArg(unsubscribe) };
}
