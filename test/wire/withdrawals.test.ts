/** Withdrawals over HTTP: every field, every refusal, and both routes. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, call, operate, type Person, startTestExchange } from './exchange.ts';
import {
  type Fields,
  INTERNAL,
  MINUTE,
  ON_CHAIN,
  orderIdOf,
  type Row,
  TRON,
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

describe('on chain', () => {
  test('[WDR-01][WDR-03][WDR-14][WDR-26] requested, sent, confirmed and done, with every field of the record', async () => {
    const answer = await withdraw({ clientOid: 'rent-1', remark: 'rent' });
    expect(answer).toMatchObject({ status: 200, code: '00000', data: { clientOid: 'rent-1' } });
    expect(await on.balance(alice)).toMatchObject({
      available: '99900',
      locked: '100',
      equity: '100000',
    });
    await on.advance(9_000);
    const [pending] = await records();
    expect(pending).toEqual({
      orderId: orderIdOf(answer),
      clientOid: 'rent-1',
      recordId: expect.stringMatching(/^[0-9a-f]{64}$/),
      coin: 'USDT',
      type: 'withdraw',
      dest: 'on_chain',
      size: '100',
      status: 'pending',
      fromAddress: expect.stringMatching(/^T/),
      toAddress: TRON,
      chain: 'TRC20',
      fee: '1',
      confirm: expect.stringMatching(/^[23]$/),
      tag: '',
      createdTime: expect.stringMatching(/^\d{13}$/),
      updatedTime: expect.stringMatching(/^\d{13}$/),
    });
    await on.advance(MINUTE);
    const [done] = await records();
    // More than twenty blocks exist by then.
    expect(done).toMatchObject({
      ...pending,
      status: 'success',
      confirm: '20',
      updatedTime: expect.anything(),
    });
    expect(await on.balance(alice)).toMatchObject({
      available: '99900',
      locked: '0',
      equity: '99900',
    });
  });

  test('[WDR-01] the alias path works, with a clientOid', async () => {
    const answer = await on.post(alice, '/api/v3/account/withdraw', {
      ...ON_CHAIN,
      size: 100,
      accountType: 'uta',
    });
    expect(answer).toMatchObject({ code: '00000', data: { clientOid: orderIdOf(answer) } });
  });

  const refusals: readonly (readonly [Fields, code: string, names: string])[] = [
    [{ coin: '' }, '40019', 'coin'],
    [{ transferType: '' }, '40019', 'transferType'],
    [{ transferType: 'by_post' }, '40020', 'transferType'],
    [{ address: '' }, '40019', 'address'],
    [{ size: '' }, '40019', 'size'],
    [{ size: '-1' }, '40020', 'size'],
    [{ clientOid: 'x'.repeat(33) }, '40020', 'clientOid'],
    [{ coin: 'NONE' }, '13002', ''],
    [{ chain: '' }, '40019', 'chain'],
    [{ chain: 'NONE' }, '49050', ''],
    [{ address: `${TRON.slice(0, -1)}T` }, '47002', ''],
    [{ coin: 'XRP', chain: 'XRP', address: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh' }, '43116', ''],
    [{ size: '10.000000001' }, '43125', ''],
    [{ size: '9' }, '43114', ''],
    [{ size: '1000001' }, '13212', ''],
    [{ size: '100001' }, '43012', ''],
    [{ memberCode: 'mtgox' }, '40020', 'memberCode'],
    [{ memberCode: 'bithumb' }, '40019', 'identityType'],
    [{ memberCode: 'korbit', identityType: 'company' }, '40019', 'companyName'],
    [{ memberCode: 'coinone', identityType: 'user', firstName: 'A' }, '40019', 'lastName'],
  ];
  test.each(refusals)('[WDR-04][WDR-07][WDR-21] %o is %s', async (fields, code, names) => {
    const answer = await withdraw(fields);
    expect(answer).toMatchObject({ status: 400, code, data: null });
    expect(answer.msg).toContain(names);
    expect(await on.balance(alice)).toMatchObject({ available: '100000', locked: '0' });
  });

  test('[WDR-21] the identity of a recipient at another exchange is accepted complete', async () => {
    expect(
      await withdraw({ memberCode: 'BITHUMB', identityType: 'company', companyName: 'Acme' }),
    ).toMatchObject({ code: '00000' });
    expect(
      await withdraw({ memberCode: 'korbit', identityType: 'user', firstName: 'A', lastName: 'B' }),
    ).toMatchObject({ code: '00000' });
    expect(await withdraw({ identityType: 'user' })).toMatchObject({ code: '00000' });
  });

  test('[WDR-20][WDR-21] another recipient at another exchange is another withdrawal', async () => {
    const [member, company] = [
      { memberCode: 'korbit' },
      { identityType: 'company', companyName: 'Acme' },
    ];
    const user = { identityType: 'user', firstName: 'A', lastName: 'B' };
    const again = async (first: Fields, other: Fields, clientOid: string) => {
      const orderId = orderIdOf(await withdraw({ ...first, clientOid }));
      expect(orderIdOf(await withdraw({ ...first, clientOid }))).toBe(orderId);
      expect(await withdraw({ ...first, ...other, clientOid })).toMatchObject({ code: '40786' });
    };
    await again({ ...member, ...company }, { companyName: 'Acme & Sons' }, 'other-company');
    await again({ ...member, ...company }, { memberCode: 'coinone' }, 'other-member');
    await again({ ...member, ...company }, user, 'other-identity');
    await again({ ...member, ...user }, { firstName: 'C' }, 'other-first');
    await again({ ...member, ...user }, { lastName: 'C' }, 'other-last');
    await again({}, { ...member, ...user }, 'unknown-first');
  });

  test('[WDR-07][WDR-26] the tag that a chain requires is sent and shown', async () => {
    const { data } = await operate(on.exchange, 'POST', '/operator/v1/deposits', {
      uid: String(alice.uid),
      coin: 'XRP',
      size: '100',
    });
    expect(data).toMatchObject({ orderId: expect.any(String) });
    const xrp = {
      coin: 'XRP',
      chain: 'XRP',
      address: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
      size: '25',
    };
    expect(await withdraw({ ...xrp, tag: '4711' })).toMatchObject({ code: '00000' });
    expect(await records({ coin: 'XRP' })).toMatchObject([
      { tag: '4711', chain: 'XRP', size: '25', fee: '0.2', toAddress: xrp.address },
    ]);
  });

  test('[WDR-12][WDR-152] the operator API shows the limits of a coin, defaults included', async () => {
    const coins = (await operate(on.exchange, 'GET', '/operator/v1/coins')).data as readonly Record<
      string,
      unknown
    >[];
    const millions = [3, 4, 6, 8, 10, 12, 15, 20, 20, 20, 20, 20, 20, 20];
    const levels = [
      'VIP0',
      'VIP1',
      'VIP2',
      'VIP3',
      'VIP4',
      'VIP5',
      'VIP6',
      'VIP7',
      'PRO1',
      'PRO2',
      'PRO3',
      'PRO4',
      'PRO5',
      'PRO6',
    ];
    const dailyLimitsUsd = levels.map((level, at) => ({ level, limit: `${millions[at]}000000` }));
    for (const coin of coins)
      expect(coin).toMatchObject({
        automaticLimitUsd: '10000',
        singleLimitUsd: '1000000',
        dailyLimitsUsd,
      });
  });

  test('[WDR-07] step, fee and daily limit of a coin are set by the operator', async () => {
    const [listed] = (await operate(on.exchange, 'GET', '/operator/v1/coins?coin=USDC')).data as [
      Record<string, unknown>,
    ];
    const chains = (listed.chains as Record<string, unknown>[]).map((chain) => ({
      ...chain,
      withdrawStep: '0.5',
      withdrawMin: '0',
    }));
    const dailyLimitsUsd = [{ level: 'VIP0', limit: '60' }];
    const set = await operate(on.exchange, 'POST', '/operator/v1/coins', {
      ...listed,
      chains,
      dailyLimitsUsd,
      operator: 'ann',
    });
    expect(set).toMatchObject({ code: '00000' });
    const [changed] = (await operate(on.exchange, 'GET', '/operator/v1/coins?coin=USDC')).data as [
      Record<string, readonly object[]>,
    ];
    expect(changed.dailyLimitsUsd?.slice(0, 2)).toEqual([
      ...dailyLimitsUsd,
      { level: 'VIP1', limit: '4000000' },
    ]);
    await on.exchange.submit({
      type: 'deposit',
      uid: alice.uid,
      coin: 'USDC',
      size: '1000' as never,
    });
    const usdc = {
      coin: 'USDC',
      chain: 'SOL',
      address: 'So11111111111111111111111111111111111111112',
    };
    const codes = [];
    for (const size of ['10.25', '1', '60.5', '60', '1.5'])
      codes.push((await withdraw({ ...usdc, size })).code);
    expect(codes).toEqual(['43124', '43112', '43113', '00000', '43113']);
  });

  test('[WDR-20] a repeated request is the same order, and other content is refused', async () => {
    const first = await withdraw({ clientOid: 'mine' });
    expect((await withdraw({ clientOid: 'mine', remark: 'again', size: '100.0' })).data).toEqual(
      first.data,
    );
    expect(await withdraw({ clientOid: 'mine', size: '101' })).toMatchObject({ code: '40786' });
    expect(await records()).toHaveLength(1);
  });

  test('[WDR-28] one call a second, and ten of its records', async () => {
    const limited = await startTestExchange({ limits: true });
    const carol = await limited.person({ usdt: '1000' });
    const send = () =>
      call(limited, carol, 'POST', '/api/v3/account/withdrawal', {
        body: JSON.stringify(ON_CHAIN),
      });
    expect([(await send()).code, (await send()).code]).toEqual(['00000', '429']);
    const read = () =>
      call(limited, carol, 'GET', '/api/v3/account/withdrawal-records', {
        query: 'startTime=1&endTime=2',
      });
    const codes = (await Promise.all(Array.from({ length: 11 }, read))).map(({ code }) => code);
    expect([
      codes.filter((code) => code === '00000').length,
      codes.filter((code) => code === '429').length,
    ]).toEqual([10, 1]);
    await limited.close();
  });
});

describe('between users', () => {
  test('[WDR-16][WDR-17][WDR-18][WDR-27] a recipient is a uid, e-mail or mobile; both users have one order id', async () => {
    const email = `bob${bob.uid}@example.org`;
    const { data } = await operate(on.exchange, 'POST', '/operator/v1/users', {
      email,
      areaCode: '+44',
      mobile: `07${String(bob.uid).slice(1)}`,
    });
    const uid = (data as { uid: string }).uid;
    const number = String(bob.uid).slice(1);
    const named: readonly (readonly [string, Fields, string])[] = [
      [uid, {}, uid],
      [email.toUpperCase(), { innerToType: 'email' }, email],
      [`0 7${number}`, { innerToType: 'MOBILE', areaCode: '44' }, `+44 7${number}`],
    ];
    for (const [address, fields, shown] of named) {
      const answer = await transfer(address, fields);
      expect(answer).toMatchObject({ code: '00000' });
      const orderId = orderIdOf(answer);
      expect(await records({ orderId })).toMatchObject([
        {
          orderId,
          recordId: orderId,
          dest: 'internal_transfer',
          status: 'success',
          fee: '0',
          chain: '',
          fromAddress: String(alice.uid),
          toAddress: shown,
        },
      ]);
    }
    const key = (await operate(on.exchange, 'POST', '/operator/v1/keys', { uid })).data as Person;
    const received = await list('deposit-records', key);
    expect(received.map(({ orderId }) => orderId)).toEqual(
      (await records()).map(({ orderId }) => orderId),
    );
    expect(received[0]).toMatchObject({
      dest: 'internal_transfer',
      fromAddress: String(alice.uid),
      size: '10',
      type: 'deposit',
    });
    expect(received[0]!.clientOid).toBe(received[0]!.orderId);
  });

  test('[WDR-154] a repeated request may write its recipient in another form', async () => {
    const email = `bea${bob.uid}@example.org`;
    const number = `7${String(bob.uid).slice(1)}`;
    await operate(on.exchange, 'POST', '/operator/v1/users', {
      email,
      areaCode: '49',
      mobile: number,
    });
    const written: readonly (readonly [Fields, string, string])[] = [
      [{ innerToType: 'email', clientOid: 'by-email' }, email, ` ${email.toUpperCase()}`],
      [
        { innerToType: 'mobile', areaCode: '49', clientOid: 'by-mobile' },
        number,
        `0${number.slice(0, 3)} ${number.slice(3)}`,
      ],
      [{ clientOid: 'by-uid' }, String(bob.uid), ` ${bob.uid} `],
    ];
    for (const [fields, one, other] of written) {
      const first = await transfer(one, fields);
      expect(first).toMatchObject({ code: '00000' });
      expect(await transfer(other, fields)).toMatchObject({ code: '00000', data: first.data });
    }
    // Another name of the same user is other content, because its owner may change.
    expect(await transfer(email, { innerToType: 'email', clientOid: 'by-mobile' })).toMatchObject({
      code: '40786',
    });
    expect(await records()).toHaveLength(3);
  });

  test("[WDR-16][ACC-04] a mobile number is one user's, with any area code", async () => {
    const mobile = `7${String(bob.uid).slice(1)}`;
    await operate(on.exchange, 'POST', '/operator/v1/users', { areaCode: '44', mobile });
    const written = { areaCode: '0044', mobile: `0044 ${mobile}` };
    expect(await operate(on.exchange, 'POST', '/operator/v1/users', written)).toMatchObject({
      code: '40057',
    });
    for (const areaCode of ['44', '0044', '+0044'])
      expect(
        await transfer(mobile, { innerToType: 'mobile', areaCode, clientOid: 'rent' }),
      ).toMatchObject({ code: '00000' });
    expect(await records()).toMatchObject([{ toAddress: `+44 ${mobile}` }]);
  });

  test('[WDR-19] the sender itself and an unknown recipient are refused', async () => {
    expect(await transfer(String(alice.uid))).toMatchObject({ code: '43121' });
    const unknown = await Promise.all([
      transfer('1000999999'),
      transfer('not a uid'),
      transfer('unknown@example.org', { innerToType: 'email' }),
      transfer('7000000', { innerToType: 'mobile', areaCode: '44' }),
    ]);
    expect(new Set(unknown.map(({ code, msg }) => `${code} ${msg}`))).toEqual(
      new Set(['40034 The recipient does not exist']),
    );
    expect(await transfer('7000000', { innerToType: 'mobile' })).toMatchObject({ code: '40019' });
  });
});
