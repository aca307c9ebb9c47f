/**
 * Compares the operator rows with tables that are written by hand, so that a change of the contract
 * shows.
 */
import { describe, expect, test } from 'vitest';
import type { Endpoint } from './endpoint.ts';
import { operatorEndpoints } from './endpoints.ts';
import { fieldLines, requestLines } from './reference.ts';

const operatorRows: Readonly<Record<string, Endpoint>> = operatorEndpoints;
const sorted = (texts: readonly string[]): readonly string[] => [...texts].sort();
const listed = (text: string): readonly string[] =>
  sorted(text.split(' ').filter((each) => each !== ''));

describe('the operator plane', () => {
  test('[API-26] the operator API has exactly these calls', () => {
    const calls = Object.values(operatorRows).map(({ method, path }) => `${method} ${path}`);
    expect(sorted(calls)).toEqual([
      'DELETE /operator/v1/faults',
      'DELETE /operator/v1/faults/:id',
      'DELETE /operator/v1/keys/:apiKey',
      'GET /operator/v1/acts',
      'GET /operator/v1/agents',
      'GET /operator/v1/audit',
      'GET /operator/v1/clock',
      'GET /operator/v1/coins',
      'GET /operator/v1/daily-orders',
      'GET /operator/v1/faults',
      'GET /operator/v1/fees',
      'GET /operator/v1/health',
      'GET /operator/v1/instruments',
      'GET /operator/v1/ledger',
      'GET /operator/v1/market',
      'GET /operator/v1/recordings',
      'GET /operator/v1/reserves',
      'GET /operator/v1/triggers',
      'GET /operator/v1/uncopied-orders',
      'GET /operator/v1/users',
      'GET /operator/v1/users/:uid',
      'GET /operator/v1/verdicts',
      'GET /operator/v1/withdrawals',
      'POST /operator/v1/agents',
      'POST /operator/v1/chains/faults',
      'POST /operator/v1/clock',
      'POST /operator/v1/coins',
      'POST /operator/v1/daily-orders',
      'POST /operator/v1/deposits',
      'POST /operator/v1/faults',
      'POST /operator/v1/fee-credits',
      'POST /operator/v1/fees',
      'POST /operator/v1/instruments',
      'POST /operator/v1/instruments/status',
      'POST /operator/v1/keys',
      'POST /operator/v1/market',
      'POST /operator/v1/prices',
      'POST /operator/v1/recordings',
      'POST /operator/v1/recordings/upload',
      'POST /operator/v1/reserves',
      'POST /operator/v1/reset',
      'POST /operator/v1/snapshot',
      'POST /operator/v1/traders',
      'POST /operator/v1/users',
      'POST /operator/v1/users/:uid/settings',
      'POST /operator/v1/withdrawals/:orderId/approve',
      'POST /operator/v1/withdrawals/:orderId/confirm',
      'POST /operator/v1/withdrawals/:orderId/fail',
      'POST /operator/v1/withdrawals/:orderId/reject',
      'POST /operator/v1/withdrawals/switch',
    ]);
    for (const { path, access } of Object.values(operatorRows)) {
      expect([path, access]).toEqual([path, path.endsWith('/health') ? 'anybody' : 'operator']);
    }
  });
  test.each([
    ['createUser', 'name email areaCode mobile level referralCode holdMode parentUid'],
    ['listUsers', 'name limit uidLessThan'],
    ['setUserSettings', 'uid* stpMode*'],
    ['createKey', 'uid* permissions ips publicKey'],
    ['deposit', 'uid* coin* size* clientOid operator'],
    ['setPrices', '[].category* [].symbol* [].index [].mark [].force'],
    ['setInstrumentStatus', 'category* symbol* status*'],
    ['importRecording', 'file* symbol* category as divide columns'],
    ['uploadRecording', 'symbol* category as divide columns name'],
    ['switchMarket', 'state scene category symbol percent durationMs delayMs csv file'],
    ['moveClock', 'advanceMs to frozen rate'],
    ['listLedger', 'uid coin limit idLessThan'],
    ['setDailyOrders', 'warn restrict'],
    ['setFees', 'market* rates* rates[].level* rates[].maker* rates[].taker*'],
    ['makeAgent', 'uid* affiliationType* spotRatio* futuresRatio* userShare'],
    ['grantFeeCredit', 'uid* coin* kind* size*'],
  ])('[API-26] %s has its request fields', (name, text) => {
    const found = requestLines(operatorRows[name]!).map(
      ({ path, required }) => `${path}${required ? '*' : ''}`,
    );
    expect(sorted(found)).toEqual(listed(text));
  });
  test.each([
    ['getHealth', 'status sequence durable stateHash stateHashSequence uptimeMs'],
    ['createUser', 'uid'],
    ['createKey', 'apiKey secretKey passphrase'],
    ['deposit', 'orderId'],
    ['makeAgent', 'referralCode'],
    ['getClock', 'now wall offsetMs frozen rate movingFrom movingTo'],
    [
      'listLedger',
      '[].id [].time [].uid [].coin [].account [].amount [].balance [].reason [].sequence',
    ],
    [
      'audit',
      'ok sequence stateHash coins coins[].coin coins[].difference coins[].held coins[].owed coins[].insurance coins[].clearing violations',
    ],
  ])('[API-26] %s has its answer fields', (name, text) => {
    expect(sorted(fieldLines(operatorRows[name]!.response.schema).map(({ path }) => path))).toEqual(
      listed(text),
    );
  });
  test('[API-26] a user is shown with every part of its balances', () => {
    const paths = fieldLines(operatorRows.getUser!.response.schema).map(({ path }) => path);
    const wanted = ['coin', 'available', 'locked', 'margin', 'borrowed', 'interest', 'equity'].map(
      (name) => `balances[].${name}`,
    );
    expect(paths).toEqual(expect.arrayContaining(wanted));
  });
  test('[API-26] a public key may have line breaks', () => {
    const field = operatorEndpoints.createKey.request.fields.publicKey!;
    const pem = '-----BEGIN PUBLIC KEY-----\nMIIB\r\n-----END PUBLIC KEY-----\n';
    expect(field.decode(pem, 'publicKey')).toEqual({ ok: true, value: pem });
    expect(field.decode('\u0000', 'publicKey')).toMatchObject({ ok: false });
  });
});
