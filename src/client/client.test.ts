/** The typed clients: the exact bytes that they send, and how they read answers. */
import { describe, expect, test } from 'vitest';
import { ApiError, createClient, createOperatorClient, type Fetch } from './client.ts';
import { prehash, sign } from './sign.ts';

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** A network that records requests and returns a given answer. */
function network(answer: unknown, status = 200): { readonly sent: Sent[]; readonly fetch: Fetch } {
  const sent: Sent[] = [];
  const fetch = (async (
    url: string,
    init: { method: string; headers: Record<string, string>; body?: string },
  ) => {
    sent.push({ url, method: init.method, headers: init.headers, body: init.body });
    return new Response(typeof answer === 'string' ? answer : JSON.stringify(answer), { status });
  }) as unknown as Fetch;
  return { sent, fetch };
}

const envelope = (data: unknown) => ({ code: '00000', msg: 'success', requestTime: 1, data });
const key = {
  baseUrl: 'http://127.0.0.1:8080/',
  apiKey: 'k',
  secretKey: 'top-secret',
  passphrase: 'p',
  now: () => 1_789_000_000_000,
};

/** Computed with another implementation of HMAC-SHA256. */
const SETTINGS_SIGN = 'KmEIi2DUjumDXy15Yvr5RkZ/2JPPixVeExfutLawUGY=';
const ORDER_SIGN = 'xgrKbi2GGg+BuTgIP0r2rmALD8jXRKPBDbhRzBBye8I=';
const HOLD_MODE_SIGN = 'EKiZ5XEYtJftPiC/RYe4ipDFY4JDEybfNwL0uOdVnDg=';
const CHINESE_SIGN = 'APZUf8MQbxUMgkLIMzSBxB9pOaPKxp8wT5lZd6eACIk=';

describe('signing', () => {
  const text = {
    timestamp: '1789000000000',
    method: 'get',
    path: '/api/v3/account/settings',
    query: '',
    body: '',
  };
  test('[API-44] the signed text', () => {
    expect(prehash(text)).toBe('1789000000000GET/api/v3/account/settings');
    expect(prehash({ ...text, query: 'a=1' })).toBe('1789000000000GET/api/v3/account/settings?a=1');
  });
  test('[API-44] signatures equal those of another implementation', async () => {
    expect(await sign('top-secret', text)).toBe(SETTINGS_SIGN);
    expect(await sign('top-secret', { ...text, method: 'POST', path: '/x', body: '备注' })).toBe(
      CHINESE_SIGN,
    );
  });
});

describe('requests', () => {
  test('[API-44] a query is encoded, sorted, and signed as sent', async () => {
    const { sent, fetch } = network(envelope({}));
    await createClient({ ...key, fetch }).call('getOrder', {
      orderId: '1000000000000000042',
      clientOid: 'a:b/c',
    });
    expect(sent[0]).toEqual({
      url: 'http://127.0.0.1:8080/api/v3/trade/order-info?clientOid=a%3Ab%2Fc&orderId=1000000000000000042',
      method: 'GET',
      headers: {
        'ACCESS-KEY': 'k',
        'ACCESS-SIGN': ORDER_SIGN,
        'ACCESS-TIMESTAMP': '1789000000000',
        'ACCESS-PASSPHRASE': 'p',
      },
      body: undefined,
    });
  });
  test('[API-44] a body is signed as sent', async () => {
    const { sent, fetch } = network(envelope('success'));
    await createClient({ ...key, fetch, locale: 'zh-CN' }).call('setHoldMode', {
      holdMode: 'hedge_mode',
    });
    expect(sent[0]!.body).toBe('{"holdMode":"hedge_mode"}');
    expect(sent[0]!.headers).toMatchObject({
      'ACCESS-SIGN': HOLD_MODE_SIGN,
      'Content-Type': 'application/json',
      locale: 'zh-CN',
    });
  });
  test('[API-44] undefined values are omitted, and a batch is an array', async () => {
    const { sent, fetch } = network(envelope([]));
    const client = createClient({ ...key, fetch });
    await client.call('getOrder', { clientOid: 'a', orderId: undefined });
    await client.call('placeBatch', [
      { category: 'SPOT', symbol: 'BTCUSDT', qty: '1', side: 'buy', orderType: 'market' },
    ]);
    expect(sent[0]!.url).toBe('http://127.0.0.1:8080/api/v3/trade/order-info?clientOid=a');
    expect(sent[1]!.body).toBe(
      '[{"category":"SPOT","symbol":"BTCUSDT","qty":"1","side":"buy","orderType":"market"}]',
    );
  });
  test('[API-44] market calls are sent without a key', async () => {
    const { sent, fetch } = network(envelope({ serverTime: '1' }));
    await createClient({ ...key, fetch }).call('getServerTime');
    expect(sent[0]!.headers).toEqual({});
  });
  test('[API-44] operator calls have a token, and names in paths are replaced', async () => {
    const { sent, fetch } = network(envelope(null));
    const operator = createOperatorClient({ baseUrl: 'http://127.0.0.1:8081', token: 't', fetch });
    await operator.call('revokeKey', { apiKey: 'a/b' });
    await operator.call('setPrices', [
      { category: 'SPOT', symbol: 'BTCUSDT', index: '60000', mark: null, force: true },
    ]);
    expect(sent[0]).toEqual({
      url: 'http://127.0.0.1:8081/operator/v1/keys/a%2Fb',
      method: 'DELETE',
      headers: { Authorization: 'Bearer t' },
      body: undefined,
    });
    expect(sent[1]!.body).toBe(
      '[{"category":"SPOT","symbol":"BTCUSDT","index":"60000","mark":null,"force":true}]',
    );
  });
});

describe('answers', () => {
  const ask = (answer: unknown, status: number): Promise<unknown> =>
    createClient({ ...key, fetch: network(answer, status).fetch }).call('getServerTime');

  test('[API-45] the data of the envelope', async () => {
    expect(await ask(envelope({ serverTime: '7' }), 200)).toEqual({ serverTime: '7' });
  });
  test('[API-45] a refusal is thrown with its code', async () => {
    const refused = {
      code: '40019',
      msg: 'Parameter symbol cannot be empty',
      requestTime: 1,
      data: null,
    };
    await expect(ask(refused, 400)).rejects.toEqual(
      new ApiError('40019', 'Parameter symbol cannot be empty', 400),
    );
    await expect(ask(refused, 400)).rejects.toMatchObject({ code: '40019', status: 400 });
  });
  test('[API-45] an answer without an envelope is thrown with its status', async () => {
    await expect(ask('<html>', 502)).rejects.toMatchObject({ code: '502', status: 502 });
    await expect(ask('{}', 200)).rejects.toMatchObject({ code: '200' });
    await expect(ask('null', 504)).rejects.toMatchObject({ code: '504' });
  });
});
