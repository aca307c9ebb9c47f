/**
 * The real exchange in this process, on free ports with a temporary folder. It is called over
 * sockets, and every answer is checked by its row.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Exchange, startExchange } from '../../src/app/exchange.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import {
  operatorEndpoints,
  type PublicName,
  publicEndpoints,
} from '../../src/contract/endpoints.ts';
import type { ShownCredentials } from '../../src/gateway/auth/credentials.ts';
import { openLog } from '../../src/gateway/log.ts';
import { type Answer, answerOf, signedHeaders } from './exchange.ts';

export interface Trader extends ShownCredentials {
  readonly uid: string;
}

export interface TraderRequest {
  readonly holdMode?: 'one_way_mode' | 'hedge_mode';
  /** Deposits by coin. */
  readonly deposits?: Readonly<Record<string, string>>;
  readonly level?: string;
  readonly referralCode?: string;
  readonly parentUid?: string;
}

/** A row of an answer whose fields are all text. */
export type Row = Readonly<Record<string, string>>;

type Values = Readonly<Record<string, unknown>>;

const textOf = (row: Endpoint, values: unknown): { query: string; body?: string } => {
  if (row.method === 'GET')
    return { query: new URLSearchParams(values as Record<string, string>).toString() };
  return { query: '', body: JSON.stringify(values) };
};

/** A success has exactly the fields of its row, and a refusal has no data. */
function expectConformance(row: Endpoint, { code, msg, requestTime, data, status }: Answer): void {
  expect(Number.isSafeInteger(requestTime)).toBe(true);
  if (code === '00000')
    expect([status, msg, row.response.faults(data, row.path)]).toEqual([200, 'success', []]);
  else expect([row.path, code, data, status >= 400]).toEqual([row.path, code, null, true]);
}

export class TradingExchange {
  readonly #folder: string;
  #exchange: Exchange;
  readonly #traders: Trader[] = [];
  #restarting: Promise<void> = Promise.resolve();

  private constructor(folder: string, exchange: Exchange) {
    this.#folder = folder;
    this.#exchange = exchange;
  }

  static async start(): Promise<TradingExchange> {
    const folder = mkdtempSync(join(tmpdir(), 'rialto-wire-'));
    return new TradingExchange(folder, await openFolder(folder));
  }

  /** An exchange with BTCUSDT at 60,000 and a maker with orders of 100, ten below and ten above. */
  static async startQuoted(): Promise<TradingExchange> {
    const exchange = await TradingExchange.start();
    const maker = await exchange.trader({ deposits: { USDT: '100000000' } });
    await exchange.setIndex('BTCUSDT', '60000', '60000');
    const order = { category: 'USDT-FUTURES', symbol: 'BTCUSDT', qty: '100', orderType: 'limit' };
    await exchange.data(maker, 'placeBatch', [
      { ...order, side: 'buy', price: '59990' },
      { ...order, side: 'sell', price: '60010' },
    ]);
    return exchange;
  }

  get url(): string {
    return this.#exchange.publicUrl;
  }

  get folder(): string {
    return this.#folder;
  }

  /** A test that timed out during a restart may still be starting an exchange in this folder. */
  async stop(): Promise<void> {
    await this.#restarting.catch(() => undefined);
    await this.#exchange.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Stops, and starts again in the same folder on other ports. */
  restart(): Promise<void> {
    this.#restarting = this.#startAgain();
    return this.#restarting;
  }

  async #startAgain(): Promise<void> {
    await this.#exchange.stop();
    this.#exchange = await openFolder(this.#folder);
  }

  /** Addresses and token for a program that operates the exchange. */
  get addresses() {
    const { publicUrl, operatorUrl, credentials } = this.#exchange;
    return { publicUrl, operatorUrl, operatorToken: credentials.operatorToken };
  }

  /** The fault laboratory of the running exchange. */
  get laboratory(): Exchange['faults'] {
    return this.#exchange.faults;
  }

  async #operator(method: string, path: string, body?: unknown): Promise<Answer> {
    const headers = {
      authorization: `Bearer ${this.#exchange.credentials.operatorToken}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return answerOf(
      await fetch(`${this.#exchange.operatorUrl}${path}`, { method, headers, ...sent }),
    );
  }

  /** The code and text of an operator call that must be refused. */
  async refusal(method: string, path: string, body?: unknown): Promise<string> {
    const { status, code, msg, data } = await this.#operator(method, path, body);
    expect([path, status >= 400, data]).toEqual([path, true, null]);
    return `${code} ${msg}`;
  }

  async operate(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await this.#operator(method, path, body);
    expect([path, answer.code, answer.msg]).toEqual([path, '00000', 'success']);
    const row = Object.values(operatorEndpoints as Readonly<Record<string, Endpoint>>).find(
      (each) =>
        each.method === method &&
        new RegExp(`^${each.path.replace(/:\w+/g, '[^/]+')}$`).test(path.split('?')[0]!),
    );
    expectConformance(row!, answer);
    return answer;
  }

  async trader({ deposits = {}, ...user }: TraderRequest = {}): Promise<Trader> {
    const { uid } = (await this.operate('POST', '/operator/v1/users', user)).data as {
      uid: string;
    };
    const key = (await this.operate('POST', '/operator/v1/keys', { uid })).data as ShownCredentials;
    for (const [coin, size] of Object.entries(deposits))
      await this.operate('POST', '/operator/v1/deposits', { uid, coin, size });
    const trader = { uid, ...key };
    this.#traders.push(trader);
    return trader;
  }

  /** Cancels every open order, so that orders of one test do not match those of another. */
  async clearBooks(): Promise<void> {
    for (const trader of this.#traders) {
      const { list } = await this.data<{ list: readonly { category: string }[] }>(
        trader,
        'listOpenOrders',
      );
      for (const category of new Set(list.map((order) => order.category)))
        await this.data(trader, 'cancelSymbolOrders', { category });
    }
  }

  async setIndex(symbol: string, index: string, mark?: string): Promise<void> {
    await this.operate('POST', '/operator/v1/prices', [
      {
        category: 'USDT-FUTURES',
        symbol,
        index,
        force: true,
        ...(mark === undefined ? {} : { mark }),
      },
    ]);
  }

  /** Calls an endpoint by its name in the contract, at its own path or an alias. */
  async call(
    caller: Trader,
    name: PublicName,
    values: Values | readonly Values[] = {},
    { locale = 'en-US', path }: { readonly locale?: string; readonly path?: string } = {},
  ): Promise<Answer> {
    const row: Endpoint = publicEndpoints[name] as Endpoint;
    const { query, body } = textOf(row, values);
    const called = path ?? row.path;
    const headers = signedHeaders(caller, row.method, called, {
      query,
      ...(body === undefined ? {} : { body }),
      headers: { locale },
    });
    const target = `${this.url}${called}${query === '' ? '' : `?${query}`}`;
    const answer = await answerOf(
      await fetch(target, { method: row.method, headers, ...(body === undefined ? {} : { body }) }),
    );
    expectConformance(row, answer);
    return answer;
  }

  /** A public call without a key. */
  async ask<Data>(name: PublicName, values: Values = {}): Promise<Data> {
    const row: Endpoint = publicEndpoints[name] as Endpoint;
    const answer = await answerOf(
      await fetch(`${this.url}${row.path}?${textOf(row, values).query}`),
    );
    expectConformance(row, answer);
    expect([name, answer.code]).toEqual([name, '00000']);
    return answer.data as Data;
  }

  /** The data of a call that must succeed. */
  async data<Data>(
    caller: Trader,
    name: PublicName,
    values: Values | readonly Values[] = {},
  ): Promise<Data> {
    const answer = await this.call(caller, name, values);
    expect([name, answer.code, answer.msg]).toEqual([name, '00000', 'success']);
    return answer.data as Data;
  }

  /** The code of a call that must be refused. */
  async code(
    caller: Trader,
    name: PublicName,
    values: Values | readonly Values[] = {},
  ): Promise<string> {
    return (await this.call(caller, name, values)).code;
  }
}

const openFolder = (data: string): Promise<Exchange> =>
  startExchange({
    settings: {
      host: '127.0.0.1',
      port: 0,
      operatorPort: 0,
      data,
      world: 'empty',
      market: 'off',
      seed: 1,
      limits: 'off',
      operatorToken: undefined,
      log: 'silent',
      json: 'off',
    },
    log: openLog('silent'),
    onFatal: (fatality) => {
      throw new Error(`the exchange stopped: ${JSON.stringify(fatality)}`);
    },
  });
