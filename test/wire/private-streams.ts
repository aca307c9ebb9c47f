/** Logged-in clients of private channels, and what their pushes must have in common. */
import { expect } from 'vitest';
import { type ChannelKey, channels } from '../../src/contract/channels/channels.ts';
import { type Frame, StreamClient } from './stream-client.ts';
import type { Trader, TradingExchange } from './trading-exchange.ts';

export interface PrivateFrame extends Frame {
  readonly userSeq: string;
  readonly prevUserSeq: string;
}

export type PushedRow = Readonly<Record<string, string>>;

/** The name of the channel of a push. */
export const channelOf = ({ arg }: Frame): string => (arg!.channel ?? arg!.topic)!;

export const isPush = (frame: Frame): frame is PrivateFrame => frame.action !== undefined;

/** The rows of a push, which must have the fields of its channel. */
export function rowsOf(key: ChannelKey, { data }: Frame): readonly PushedRow[] {
  expect(channels[key].data.faults(data, key)).toEqual([]);
  return data as readonly PushedRow[];
}

export async function loggedIn(
  exchange: TradingExchange,
  trader: Trader,
  version: 'v2' | 'v3' = 'v2',
): Promise<StreamClient> {
  const client = await StreamClient.open(exchange, `/${version}/ws/private`);
  client.logIn(trader);
  expect(await client.frame()).toEqual({ event: 'login', code: 0, msg: '' });
  return client;
}

export const v2Arg = (channel: string, instType = 'USDT-FUTURES') => ({
  instType,
  channel,
  instId: 'default',
});
export const v3Arg = (topic: string) => ({ instType: 'UTA', topic });

/** A client with subscriptions; their answers and first pushes are passed over. */
export async function subscribed(
  exchange: TradingExchange,
  trader: Trader,
  args: readonly object[],
): Promise<StreamClient> {
  const version = args.every((arg) => 'topic' in arg) ? 'v3' : 'v2';
  const client = await loggedIn(exchange, trader, version);
  client.subscribe(...args);
  await client.during(150);
  return client;
}

/** Each push names the one before it on its connection. */
export function expectClosed(frames: readonly Frame[]): void {
  const pushes = frames.filter(isPush);
  for (const [at, { prevUserSeq, userSeq }] of pushes.entries()) {
    if (at > 0) expect(prevUserSeq).toBe(pushes[at - 1]!.userSeq);
    expect(BigInt(userSeq) >= BigInt(prevUserSeq)).toBe(true);
  }
}
