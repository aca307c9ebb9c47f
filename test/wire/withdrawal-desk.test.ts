/**
 * The withdrawal desk over HTTP: operator decisions, the kill switch, reserves, and a chain with
 * faults.
 */
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
const transfer = (address: string): Promise<Answer> => on.withdraw(alice, { ...INTERNAL, address });
const rows = async (query = ''): Promise<readonly Row[]> =>
  (await operate(on.exchange, 'GET', `/operator/v1/withdrawals?uid=${alice.uid}${query}`))
    .data as readonly Row[];
const reserves = async (): Promise<readonly Row[]> =>
  (await operate(on.exchange, 'GET', '/operator/v1/reserves')).data as readonly Row[];

describe('the desk', () => {
  test('[WDR-15][WDR-33] waiting withdrawals are released, refused, confirmed or failed, in this order only', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 3; at++) ids.push(orderIdOf(await withdraw({ size: '20000' })));
    expect((await rows('&status=pending')).map(({ waitingFor, uid }) => [waitingFor, uid])).toEqual(
      Array(3).fill(['approval', String(alice.uid)]),
    );
    const [out, refused, failed] = ids as [string, string, string];
    expect(await on.desk(out, 'confirm')).toMatchObject({ code: '40057' });
    expect((await on.desk(out, 'approve')).data).toEqual({
      orderId: out,
      status: 'pending',
      waitingFor: 'confirmations',
    });
    expect(await on.desk(out, 'approve')).toMatchObject({ status: 400, code: '40057', data: null });
    expect((await on.desk(out, 'confirm')).data).toEqual({
      orderId: out,
      status: 'success',
      waitingFor: null,
    });
    expect((await on.desk(refused, 'reject')).data).toMatchObject({ status: 'fail' });
    await on.desk(failed, 'approve');
    expect((await on.desk(failed, 'fail')).data).toMatchObject({
      status: 'fail',
      waitingFor: null,
    });
    for (const decision of ['approve', 'reject', 'confirm', 'fail']) {
      for (const orderId of ids)
        expect(await on.desk(orderId, decision)).toMatchObject({ code: '40057' });
      expect(await on.desk('1000000000099999999', decision)).toMatchObject({ code: '40768' });
    }
    expect(await rows('&status=success')).toMatchObject([
      { orderId: out, waitingFor: null, recordId: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    expect((await rows('&status=fail')).map(({ failure }) => failure)).toEqual([
      'failedOnChain',
      'rejected',
    ]);
    expect(await on.balance(alice)).toMatchObject({ available: '80000', locked: '0' });
  });

  test('[WDR-34][WDR-36] two operators approve above the second limit, and the audit trail names them', async () => {
    const rich = await on.exchange.person({ usdt: '1000000' });
    const atOnce = orderIdOf(await withdraw({ size: '400000' }, rich));
    expect((await on.desk(atOnce, 'approve')).data).toMatchObject({ waitingFor: 'confirmations' });
    const coins = (await operate(on.exchange, 'GET', '/operator/v1/coins')).data as readonly Row[];
    const usdt = coins.find(({ coin }) => coin === 'USDT');
    await operate(on.exchange, 'POST', '/operator/v1/coins', {
      ...usdt,
      secondApprovalUsd: '250000',
    });
    const orderId = orderIdOf(await withdraw({ size: '300000' }, rich));
    await operate(on.exchange, 'POST', '/operator/v1/coins', usdt);
    expect((await on.desk(orderId, 'approve', { operator: 'Ann' })).data).toMatchObject({
      waitingFor: 'approval',
    });
    expect(await on.desk(orderId, 'approve', { operator: 'ANN' })).toMatchObject({ code: '40057' });
    expect((await on.desk(orderId, 'approve', { operator: 'Ben' })).data).toMatchObject({
      waitingFor: 'confirmations',
    });
    const { data } = await operate(on.exchange, 'GET', `/operator/v1/acts?orderId=${orderId}`);
    expect(data).toMatchObject([
      { operator: 'ben', act: 'approveWithdrawal', orderId, uid: String(rich.uid), coin: 'USDT' },
      { operator: 'ann', act: 'approveWithdrawal', time: expect.stringMatching(/^\d{13}$/) },
    ]);
    const own = (await operate(on.exchange, 'GET', '/operator/v1/acts?operator=ANN&limit=1'))
      .data as readonly Row[];
    expect(own).toMatchObject([{ operator: 'ann' }]);
  });

  test('[WDR-35] a stopped coin cannot be withdrawn on any route and is listed so until it is resumed', async () => {
    const off = await operate(on.exchange, 'POST', '/operator/v1/withdrawals/switch', {
      coin: 'usdt',
      state: 'off',
    });
    expect(off).toMatchObject({ code: '00000', data: null });
    expect([(await withdraw()).code, (await transfer(String(bob.uid))).code]).toEqual([
      '42015',
      '42015',
    ]);
    expect((await operate(on.exchange, 'GET', '/operator/v1/reserves')).data).toMatchObject([
      { coin: 'USDT', withdrawals: 'off' },
      {},
      {},
      {},
      {},
      {},
    ]);
    const withdrawable = async () => {
      const listed = await call(on.exchange, alice, 'GET', '/api/v2/spot/public/coins', {
        query: 'coin=USDT',
      });
      return new Set(
        (listed.data as [{ chains: Row[] }])[0].chains.map((chain) => chain.withdrawable),
      );
    };
    expect(await withdrawable()).toEqual(new Set(['false']));
    await operate(on.exchange, 'POST', '/operator/v1/withdrawals/switch', {
      coin: 'USDT',
      state: 'on',
    });
    expect(await withdrawable()).toEqual(new Set(['true']));
    expect((await reserves()).find(({ coin }) => coin === 'USDT')).toMatchObject({
      withdrawals: 'on',
    });
    expect(await withdraw()).toMatchObject({ code: '00000' });
  });

  test('[WDR-27] a record shows its origin also if its chain is no longer listed', async () => {
    await withdraw();
    await on.advance(2 * MINUTE);
    const [before] = await rows();
    expect(before).toMatchObject({ status: 'success', fromAddress: expect.stringMatching(/^T/) });
    const [usdt] = (await operate(on.exchange, 'GET', '/operator/v1/coins?coin=USDT')).data as [
      { chains: readonly Row[] },
    ];
    const others = usdt.chains.filter(({ chain }) => chain !== 'TRC20');
    expect(
      await operate(on.exchange, 'POST', '/operator/v1/coins', { ...usdt, chains: others }),
    ).toMatchObject({ code: '00000' });
    expect(await rows()).toEqual([before]);
    await operate(on.exchange, 'POST', '/operator/v1/coins', usdt);
  });

  test('[WDR-39][WDR-40] reserves bound credits, and the audit shows them', async () => {
    const credit = (size: string) =>
      operate(on.exchange, 'POST', '/operator/v1/deposits', {
        uid: String(bob.uid),
        coin: 'SOL',
        size,
        operator: 'ann',
      });
    await operate(on.exchange, 'POST', '/operator/v1/reserves', { coin: 'SOL', amount: '50' });
    expect([(await credit('50.01')).code, (await credit('50')).code]).toEqual(['40937', '00000']);
    const audit = (await operate(on.exchange, 'GET', '/operator/v1/audit')).data as {
      ok: boolean;
      coins: readonly Row[];
    };
    expect(audit.ok).toBe(true);
    expect(audit.coins.find(({ coin }) => coin === 'SOL')).toMatchObject({
      difference: '0',
      held: '50',
      owed: '50',
    });
    expect(
      await operate(on.exchange, 'POST', '/operator/v1/reserves', { coin: 'SOL', size: '60' }),
    ).toMatchObject({ code: '40019' });
    expect(await credit('1')).toMatchObject({ code: '40937' });
    expect((await reserves()).find(({ coin }) => coin === 'SOL')).toMatchObject({ reserve: '50' });
    await operate(on.exchange, 'POST', '/operator/v1/reserves', { coin: 'SOL', amount: null });
    expect((await reserves()).find(({ coin }) => coin === 'SOL')).toMatchObject({ reserve: null });
    expect(await credit('1')).toMatchObject({ code: '00000' });
  });

  test.each([
    ['refuse', 'fail', '100000'],
    ['fail', 'fail', '100000'],
    ['lose_request', 'fail', '100000'],
    ['lose_reply', 'success', '99900'],
    ['repeat_reply', 'success', '99900'],
  ])(
    '[WDR-37][WDR-38] the chain set to %s: %s, and the money exists once',
    async (fault, status, available) => {
      expect(
        await operate(on.exchange, 'POST', '/operator/v1/chains/faults', { fault, count: '1' }),
      ).toMatchObject({ code: '00000' });
      await withdraw();
      for (let at = 0; at < 3; at++) await on.advance(MINUTE);
      expect(await rows()).toMatchObject([{ status }]);
      expect(await on.balance(alice)).toMatchObject({ available, locked: '0' });
      expect((await operate(on.exchange, 'GET', '/operator/v1/audit')).data).toMatchObject({
        ok: true,
        violations: [],
      });
    },
  );

  test('[WDR-37] ten thousand faults are planned ahead, and one more is refused', async () => {
    const own = await WithdrawalExchange.start();
    const plan = (count: string) =>
      operate(own.exchange, 'POST', '/operator/v1/chains/faults', { fault: 'refuse', count });
    for (let planned = 0; planned < 9_000; planned += 1_000)
      expect(await plan('1000')).toMatchObject({ code: '00000' });
    expect(await plan('999')).toMatchObject({ code: '00000' });
    expect(await plan('2')).toMatchObject({
      code: '40058',
      msg: 'Parameter count has too many items, at most 10000',
    });
    expect(await plan('1')).toMatchObject({ code: '00000' });
    expect(await plan('1')).toMatchObject({ code: '40058' });
    await own.exchange.close();
  });
});
