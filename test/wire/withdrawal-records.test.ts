/** Records of withdrawals over HTTP, their cancels, limits and deposit addresses. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, call, operate, type Person } from './exchange.ts';
import {
  type Fields,
  INTERNAL,
  MINUTE,
  ON_CHAIN,
  orderIdOf,
  type Row,
  WithdrawalExchange,
} from './withdrawal-exchange.ts';

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

const withdraw = (fields: Fields = {}, who = alice): Promise<Answer> =>
  on.withdraw(who, { ...ON_CHAIN, ...fields });

const transfer = (address: string, fields: Fields = {}, who = alice): Promise<Answer> =>
  on.withdraw(who, { ...INTERNAL, address, ...fields });

async function list(path: string, who: Person, fields: Fields = {}): Promise<readonly Row[]> {
  const answer = await on.ask(who, `/api/v3/account/${path}`, { ...on.lately(), ...fields });
  expect([answer.code, answer.msg]).toEqual(['00000', 'success']);
  return answer.data as readonly Row[];
}

const records = (fields: Fields = {}, who = alice) => list('withdrawal-records', who, fields);

describe('records', () => {
  test('[WDR-23][WDR-24] records are newest first, in pages, by coin and by id', async () => {
    const ids: string[] = [];
    for (const size of ['11', '12', '13'])
      ids.unshift(orderIdOf(await withdraw({ size, clientOid: `size-${size}` })));
    ids.unshift(orderIdOf(await transfer(String(bob.uid))));
    const all = (await records()).map(({ orderId }) => orderId);
    expect(all).toEqual(ids);
    const page = await records({ limit: '2' });
    expect(page.map(({ orderId }) => orderId)).toEqual(ids.slice(0, 2));
    expect(
      (await records({ limit: '2', cursor: page[1]!.orderId! })).map(({ orderId }) => orderId),
    ).toEqual(ids.slice(2));
    expect(await records({ coin: 'BTC' })).toEqual([]);
    expect(await records({ clientOid: 'size-12' })).toMatchObject([{ size: '12' }]);
    expect(await records({ orderId: ids[1]!, clientOid: 'size-11' })).toMatchObject([
      { size: '13' },
    ]);
    for (const [query, code] of [
      ['endTime=2', '40019'],
      ['startTime=1', '40019'],
      ['startTime=1&endTime=2&limit=101', '40053'],
      ['startTime=3&endTime=2', '40707'],
    ] as const)
      expect(
        (await call(on.exchange, alice, 'GET', '/api/v3/account/withdrawal-records', { query }))
          .code,
      ).toBe(code);
  });

  test('[WDR-25] records cover ninety days at most', async () => {
    const ask = (span: number) =>
      call(on.exchange, alice, 'GET', '/api/v3/account/withdrawal-records', {
        query: `startTime=1&endTime=${1 + span}`,
      });
    const span = 90 * 24 * 60 * MINUTE;
    expect([(await ask(span)).code, (await ask(span + 1)).code]).toEqual(['00000', '40705']);
  });

  test("[WDR-30] another account's order and an unknown one have the same answer", async () => {
    const orderId = orderIdOf(await withdraw({ clientOid: 'hers' }));
    for (const named of [{ orderId }, { orderId: '1000000000099999999' }, { clientOid: 'hers' }]) {
      expect(await records(named, bob)).toEqual([]);
      expect(await on.post(bob, '/api/v3/account/cancel-withdrawal', named)).toMatchObject({
        code: '25204',
        msg: 'The withdrawal does not exist',
      });
    }
  });

  test('[WDR-29] a waiting withdrawal can be cancelled, a sent one cannot', async () => {
    const waiting = await withdraw({ size: '20000', clientOid: 'mine' });
    expect(
      await on.post(alice, '/api/v3/account/cancel-withdrawal', { clientOid: 'mine' }),
    ).toMatchObject({
      code: '00000',
      data: 'success',
    });
    expect(await records({ orderId: orderIdOf(waiting) })).toMatchObject([
      { status: 'fail', recordId: '' },
    ]);
    const sent = orderIdOf(await withdraw());
    await on.advance(1);
    expect(
      await on.post(alice, '/api/v3/account/cancel-withdrawal', { orderId: sent }),
    ).toMatchObject({ code: '40057' });
    expect(await on.post(alice, '/api/v3/account/cancel-withdrawal', {})).toMatchObject({
      code: '40924',
    });
    expect(await on.balance(alice)).toMatchObject({ available: '99900', locked: '100' });
  });

  test('[WDR-29] an ended withdrawal cannot be cancelled, and its owner still sees its result', async () => {
    const cancelled = orderIdOf(await withdraw({ size: '20000' }));
    await on.post(alice, '/api/v3/account/cancel-withdrawal', { orderId: cancelled });
    const transferred = orderIdOf(await transfer(String(bob.uid), { clientOid: 'given' }));
    const sent = orderIdOf(await withdraw());
    await on.advance(2 * MINUTE);
    expect(await records({ orderId: sent })).toMatchObject([{ status: 'success' }]);
    for (const named of [
      { orderId: cancelled },
      { clientOid: 'given' },
      { orderId: transferred },
      { orderId: sent },
    ]) {
      expect(await on.post(alice, '/api/v3/account/cancel-withdrawal', named)).toMatchObject({
        code: '40057',
      });
      expect(await on.post(bob, '/api/v3/account/cancel-withdrawal', named)).toMatchObject({
        code: '25204',
      });
    }
    expect(await on.balance(alice)).toMatchObject({ available: '99890', locked: '0' });
  });

  test('[WDR-31] the amount is bounded by wallet, single maximum and the rest of the day', async () => {
    const most = async (who: Person): Promise<unknown> =>
      (
        await call(on.exchange, who, 'GET', '/api/v3/account/max-withdrawal', {
          query: 'coin=usdt',
        })
      ).data;
    expect(await most(alice)).toEqual({
      coin: 'USDT',
      spotMaxWithdrawal: '0',
      otcMaxWithdrawal: '0',
      utaMaxWithdrawal: '100000',
      totalMaxWithdrawal: '100000',
    });
    const rich = await on.exchange.person({ usdt: '5000000' });
    expect(await most(rich)).toMatchObject({ totalMaxWithdrawal: '1000000' });
    for (const size of ['1000000', '900000']) await withdraw({ size }, rich);
    const last = orderIdOf(await withdraw({ size: '1000000' }, rich));
    expect(await most(rich)).toMatchObject({ totalMaxWithdrawal: '100000' });
    await on.desk(last, 'reject');
    expect(await most(rich)).toMatchObject({ totalMaxWithdrawal: '1000000' });
    expect(
      await call(on.exchange, alice, 'GET', '/api/v3/account/max-withdrawal', {
        query: 'coin=NONE',
      }),
    ).toMatchObject({
      code: '13002',
    });
  });

  test('[WDR-157] max-withdrawal is 0 for a stopped coin and for one without an open chain', async () => {
    const most = async (): Promise<unknown> => {
      const answer = await call(on.exchange, alice, 'GET', '/api/v3/account/max-withdrawal', {
        query: 'coin=usdt',
      });
      const { utaMaxWithdrawal, totalMaxWithdrawal } = answer.data as Row &
        Record<'utaMaxWithdrawal' | 'totalMaxWithdrawal', string>;
      return [utaMaxWithdrawal, totalMaxWithdrawal];
    };
    const { data } = await operate(on.exchange, 'GET', '/operator/v1/coins?coin=USDT');
    const [listing] = data as readonly [{ readonly chains: readonly { readonly chain: string }[] }];
    const open = async (isOpen: (chain: string) => boolean): Promise<unknown> => {
      const chains = listing.chains.map((chain) => ({
        ...chain,
        withdrawOpen: isOpen(chain.chain),
      }));
      expect(
        await operate(on.exchange, 'POST', '/operator/v1/coins', { ...listing, chains }),
      ).toMatchObject({ code: '00000' });
      return most();
    };
    const stop = (state: 'on' | 'off'): Promise<Answer> =>
      operate(on.exchange, 'POST', '/operator/v1/withdrawals/switch', {
        coin: 'USDT',
        state,
        operator: 'olga',
      });
    expect(await open(() => false)).toEqual(['0', '0']);
    expect(await withdraw()).toMatchObject({ code: '43126' });
    expect(await open((chain) => chain === 'TRC20')).toEqual(['100000', '100000']);
    expect(await open(() => true)).toEqual(['100000', '100000']);
    await stop('off');
    expect([await most(), await withdraw()]).toMatchObject([['0', '0'], { code: '42015' }]);
    await stop('on');
    expect(await most()).toEqual(['100000', '100000']);
  });

  test("[WDR-46] money sent to another user's deposit address arrives, with the hash of its chain", async () => {
    const { address } = (
      await call(on.exchange, bob, 'GET', '/api/v3/account/deposit-address', {
        query: 'coin=USDT&chain=TRC20',
      })
    ).data as Row & { address: string };
    const orderId = orderIdOf(await withdraw({ address }));
    expect(await list('deposit-records', bob)).toEqual([]);
    await on.advance(2 * MINUTE);
    const [sent] = await records({ orderId });
    expect(sent).toMatchObject({
      status: 'success',
      toAddress: address,
      recordId: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const [got, ...more] = await list('deposit-records', bob);
    expect(more).toEqual([]);
    expect(got).toMatchObject({
      recordId: sent!.recordId,
      dest: 'on_chain',
      chain: 'TRC20',
      toAddress: address,
      size: '99',
      coin: 'USDT',
    });
    expect([got!.fromAddress, sent!.fromAddress]).toEqual([
      sent!.fromAddress,
      expect.stringMatching(/^T/),
    ]);
    expect(await on.balance(bob)).toMatchObject({ available: '99' });
    expect((await operate(on.exchange, 'GET', '/operator/v1/audit')).data).toMatchObject({
      ok: true,
      violations: [],
    });
  });

  test('[WDR-32] a user has one own deposit address per chain', async () => {
    const ask = async (query: string, who = alice): Promise<Answer> =>
      call(on.exchange, who, 'GET', '/api/v3/account/deposit-address', { query });
    const own = await ask('coin=USDT&chain=trc20');
    expect(own.data).toMatchObject({
      coin: 'USDT',
      chain: 'TRC20',
      tag: '',
      address: expect.stringMatching(/^T/),
    });
    expect((await ask('coin=usdt&chain=TRC20')).data).toEqual(own.data);
    expect((await ask('coin=USDT&chain=TRC20', bob)).data).not.toEqual(own.data);
    expect((await ask('coin=USDT')).data).toMatchObject({ chain: 'ERC20' });
    expect((await ask('coin=XRP')).data).toMatchObject({ tag: String(alice.uid) });
    expect([
      await ask('coin=NONE'),
      await ask('coin=USDT&chain=BTC'),
      await ask('coin=BTC&chain=LIGHTNING'),
    ]).toMatchObject([{ code: '13002' }, { code: '49050' }, { code: '47001' }]);
  });
});
