/**
 * Withdrawals, deposits and transfers under the paths of v2, and the caller's own deposit
 * addresses.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, operate, type Person } from './exchange.ts';
import {
  type Fields,
  MINUTE,
  ON_CHAIN,
  orderIdOf,
  TRON,
  WithdrawalExchange,
} from './withdrawal-exchange.ts';

const NINETY_DAYS = 90 * 24 * 60 * MINUTE;
const WALLET = '/api/v2/spot/wallet';

let on: WithdrawalExchange;
let alice: Person;
let bob: Person;
beforeAll(async () => {
  on = await WithdrawalExchange.start();
});
afterAll(() => on.exchange.close());
beforeEach(async () => {
  ({ alice, bob } = await on.people());
});

const post = (path: string, body: Fields, who = alice): Promise<Answer> => on.post(who, path, body);
const withdraw = (fields: Fields = {}): Promise<Answer> =>
  post(`${WALLET}/withdrawal`, { ...ON_CHAIN, ...fields });
const cancel = (named: Fields, who = alice): Promise<Answer> =>
  post(`${WALLET}/cancel-withdrawal`, named, who);
const ask = (path: string, fields: Fields, who = alice): Promise<Answer> =>
  on.ask(who, path, fields);

function list(
  path: 'withdrawal-records' | 'deposit-records',
  fields: Fields = {},
  who = alice,
): Promise<Answer> {
  return ask(`${WALLET}/${path}`, { ...on.lately(), ...fields }, who);
}

describe('withdrawals', () => {
  test('[WDR-41][WDR-42] a withdrawal is requested, sent and confirmed, with every field of its record', async () => {
    const answer = await withdraw({ clientOid: 'rent-1' });
    expect(answer).toMatchObject({ status: 200, code: '00000', data: { clientOid: 'rent-1' } });
    expect((await list('withdrawal-records')).data).toMatchObject([{ status: 'pending' }]);
    await on.advance(2 * MINUTE);
    expect((await list('withdrawal-records')).data).toEqual([
      {
        orderId: orderIdOf(answer),
        clientOid: 'rent-1',
        tradeId: expect.stringMatching(/^[0-9a-f]{64}$/),
        coin: 'USDT',
        type: 'withdraw',
        dest: 'on_chain',
        size: '100',
        status: 'success',
        fromAddress: expect.stringMatching(/^T/),
        toAddress: TRON,
        chain: 'TRC20',
        fee: '-1',
        confirm: expect.stringMatching(/^\d+$/),
        tag: '',
        cTime: expect.stringMatching(/^\d{13}$/),
        uTime: expect.stringMatching(/^\d{13}$/),
      },
    ]);
  });

  test.each([
    ['USDT', 'ERC20', /^0x[0-9a-f]{40}$/],
    ['BTC', 'BTC', /^bc1/],
  ])(
    '[WDR-52] a deposit of %s from outside shows %s and its address there',
    async (coin, chain, form) => {
      const { uid } = bob;
      await operate(on.exchange, 'POST', '/operator/v1/deposits', {
        uid: String(uid),
        coin,
        size: '2',
      });
      const own = (await ask(`${WALLET}/deposit-address`, { coin, chain }, bob)).data as Fields;
      const named = {
        coin,
        size: '2',
        dest: 'on_chain',
        chain,
        fromAddress: expect.stringMatching(form),
        toAddress: own.address,
      };
      expect((await list('deposit-records', { coin }, bob)).data).toMatchObject([named]);
      expect(
        (await ask('/api/v3/account/deposit-records', { ...on.lately(), coin }, bob)).data,
      ).toMatchObject([named]);
      expect(own.address).toMatch(form);
    },
  );

  test('[WDR-52] a deposit shows its chain if the listing changes, and no address if it is removed', async () => {
    const uid = String(bob.uid);
    const deposit = (): Promise<Answer> =>
      operate(on.exchange, 'POST', '/operator/v1/deposits', { uid, coin: 'SOL', size: '2' });
    const relist = (chains: readonly object[]): Promise<Answer> =>
      operate(on.exchange, 'POST', '/operator/v1/coins', { ...sol, chains });
    const shown = async () =>
      ((await list('deposit-records', {}, bob)).data as Fields[]).map(({ chain, fromAddress }) => [
        chain,
        fromAddress !== '',
      ]);
    const [sol] = (await operate(on.exchange, 'GET', '/operator/v1/coins?coin=SOL')).data as [
      { readonly chains: readonly object[] },
    ];
    const [usdt] = (await operate(on.exchange, 'GET', '/operator/v1/coins?coin=USDT')).data as [
      typeof sol,
    ];
    await deposit();
    await relist([usdt.chains[0]!, ...sol.chains]);
    await deposit();
    expect(await shown()).toEqual([
      ['ERC20', true],
      ['SOL', true],
    ]);
    await relist(sol.chains);
    expect(await shown()).toEqual([
      ['ERC20', false],
      ['SOL', true],
    ]);
  });

  test('[WDR-41][WDR-20] a clientOid is one withdrawal on v2 and v3', async () => {
    const first = await withdraw({ clientOid: 'mine' });
    expect(
      (await post('/api/v3/account/withdrawal', { ...ON_CHAIN, clientOid: 'mine' })).data,
    ).toEqual(first.data);
    expect(await withdraw({ clientOid: 'mine', size: '101' })).toMatchObject({ code: '40786' });
    expect((await list('withdrawal-records')).data).toHaveLength(1);
  });

  test('[WDR-41][WDR-42] a transfer is in the records of both users', async () => {
    const sent = await withdraw({
      transferType: 'internal_transfer',
      address: String(bob.uid),
      size: '10',
      chain: '',
    });
    const orderId = orderIdOf(sent);
    const shared = {
      orderId,
      tradeId: orderId,
      dest: 'internal_transfer',
      size: '10',
      fromAddress: String(alice.uid),
    };
    expect((await list('withdrawal-records')).data).toMatchObject([
      { ...shared, type: 'withdraw', fee: '0' },
    ]);
    expect((await list('deposit-records', {}, bob)).data).toEqual([
      {
        ...shared,
        clientOid: orderId,
        type: 'deposit',
        coin: 'USDT',
        status: 'success',
        toAddress: String(bob.uid),
        chain: '',
        cTime: expect.stringMatching(/^\d{13}$/),
        uTime: expect.stringMatching(/^\d{13}$/),
      },
    ]);
  });

  test('[WDR-41] refusals have the codes of v2', async () => {
    const waiting = orderIdOf(await withdraw({ size: '20000' }));
    expect(await cancel({ orderId: waiting }, bob)).toMatchObject({ code: '40768' });
    expect(await cancel({ orderId: waiting })).toMatchObject({ code: '00000', data: 'success' });
    expect((await list('withdrawal-records')).data).toMatchObject([
      { orderId: waiting, status: 'fail', tradeId: '' },
    ]);
    const refused: readonly (readonly [Fields, code: string])[] = [
      [{ chain: '' }, '40019'],
      [{ chain: 'NONE' }, '49050'],
      [{ address: 'nowhere' }, '47002'],
      [{ size: '9' }, '43114'],
      [{ size: '100001' }, '43012'],
      [{ transferType: 'internal_transfer', address: String(alice.uid) }, '43121'],
      [{ memberCode: 'bithumb' }, '40019'],
    ];
    for (const [fields, code] of refused)
      expect([fields, (await withdraw(fields)).code]).toEqual([fields, code]);
  });

  test('[WDR-41] a read-only key reads, and cannot withdraw', async () => {
    const reader = await on.exchange.person({ permissions: ['uta_mgt.read'] });
    expect(await post(`${WALLET}/withdrawal`, ON_CHAIN, reader)).toMatchObject({
      status: 403,
      code: '40014',
    });
    expect(await cancel({ orderId: '1' }, reader)).toMatchObject({ status: 403, code: '40014' });
    for (const path of ['withdrawal-records', 'deposit-records'] as const)
      expect(await list(path, {}, reader)).toMatchObject({ code: '00000', data: [] });
    expect(await ask(`${WALLET}/deposit-address`, { coin: 'USDT' }, reader)).toMatchObject({
      code: '00000',
    });
  });
});

describe('records', () => {
  test('[WDR-42] pages continue below idLessThan', async () => {
    const ids: string[] = [];
    for (const size of ['11', '12', '13']) ids.unshift(orderIdOf(await withdraw({ size })));
    const page = (await list('withdrawal-records', { limit: '2' })).data as readonly {
      orderId: string;
    }[];
    expect(page.map(({ orderId }) => orderId)).toEqual(ids.slice(0, 2));
    const rest = (await list('withdrawal-records', { limit: '2', idLessThan: ids[1]! })).data;
    expect(rest).toMatchObject([{ orderId: ids[2], size: '11' }]);
  });

  test.each(['withdrawal-records', 'deposit-records'] as const)(
    '[WDR-43] %s: ninety days and one second at most',
    async (path) => {
      const spans = [NINETY_DAYS + 1_000, NINETY_DAYS + 1_001];
      const codes = [];
      for (const span of spans)
        codes.push((await list(path, { startTime: '1', endTime: String(1 + span) })).code);
      expect(codes).toEqual(['00000', '40705']);
    },
  );
});

describe('addresses', () => {
  const addressOf = async (coin: string, chain: string, who: Person): Promise<Fields> =>
    (await ask(`${WALLET}/deposit-address`, { coin, chain }, who)).data as Fields;

  test('[WDR-41][WDR-32] an address is the same under both paths', async () => {
    const own = await ask('/api/v3/account/deposit-address', { coin: 'USDT', chain: 'TRC20' });
    expect(await addressOf('USDT', 'trc20', alice)).toEqual(own.data);
    expect(
      await ask(`${WALLET}/deposit-address`, { coin: 'BTC', chain: 'LIGHTNING' }),
    ).toMatchObject({ code: '47001' });
  });

  test.each(['/api/v2/spot/wallet/withdrawal', '/api/v3/account/withdrawal'])(
    "[WDR-44] %s: the caller's own deposit address is refused in any notation",
    async (path) => {
      const { address: tron } = await addressOf('USDT', 'TRC20', alice);
      const { address: evm } = await addressOf('USDT', 'ERC20', alice);
      const evmUpper = `0x${evm!.slice(2).toUpperCase()}`;
      for (const [chain, address] of [
        ['TRC20', tron],
        ['TRC20', ` ${tron} `],
        ['ERC20', evm],
        ['ERC20', evmUpper],
      ] as const)
        expect(await post(path, { ...ON_CHAIN, chain, address: address! })).toMatchObject({
          code: '47002',
        });
      const { address: others } = await addressOf('USDT', 'TRC20', bob);
      expect(await post(path, { ...ON_CHAIN, address: others! })).toMatchObject({ code: '00000' });
    },
  );

  test('[WDR-44] the tag decides the owner of a shared address', async () => {
    await on.exchange.submit({
      type: 'deposit',
      uid: alice.uid,
      coin: 'XRP',
      size: '1000' as never,
    });
    const { address, tag } = await addressOf('XRP', 'XRP', alice);
    const { tag: others } = await addressOf('XRP', 'XRP', bob);
    const xrp = { coin: 'XRP', chain: 'XRP', address: address!, size: '100' };
    expect(await withdraw({ ...xrp, tag: tag! })).toMatchObject({ code: '47002' });
    expect(await withdraw({ ...xrp, tag: others! })).toMatchObject({ code: '00000' });
  });
});
