/** The operator API for withdrawals: approvals, the kill switch, reserves and the audit trail. */
import { OPERATOR_ACTS } from '../messages/vocabulary.ts';
import { careful, endpoint, exact, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { listOf, nothing, object, text, textOrNull, wholeNumber, word } from './shapes.ts';
import { waitingWords, withdrawalStatusWords, wordOf } from './wire-words.ts';
import { withdrawalShape } from './withdrawals.ts';

const OPERATOR_LENGTH_MAX = 64;
const HASH_LENGTH_MAX = 128;
/** Largest number of broadcasts that a fault applies to. */
const FAULTS_MAX = 1_000;

const group = 'Operator: withdrawals';
const rules = ['API-26'] as const;

/** The operator of a call. All operators share one token, so each sends its name. */
export const operatorName = field.describe(
  'Operator that acts, for the audit trail; a second approval needs another name',
  field.withDefault(field.text(OPERATOR_LENGTH_MAX), 'operator', 'operator'),
);
const orderId = field.describe('Order ID', identifier.id());
const coin = field.describe('Coin', identifier.coin());

/** The faults of the simulated chain. */
export const CHAIN_FAULTS = [
  'refuse',
  'fail',
  'lose_request',
  'lose_reply',
  'repeat_reply',
] as const;

const decision = { orderId, operator: operatorName };
const decided = object({
  orderId: text('Order ID'),
  status: wordOf(withdrawalStatusWords, 'Status'),
  waitingFor: textOrNull('Current step; null if it has ended'),
});

export const operatorWithdrawalRows = {
  listWithdrawals: endpoint({
    method: 'GET',
    path: '/operator/v1/withdrawals',
    group,
    summary: 'List withdrawals of all users, newest first',
    access: 'operator',
    request: careful(
      request({
        status: field.describe(
          'Only withdrawals with this status',
          field.optional(field.words(withdrawalStatusWords)),
        ),
        uid: field.describe('Only withdrawals of this user', field.optional(identifier.uid())),
        coin: field.describe('Only this coin', field.optional(identifier.coin())),
        limit: number.pageSize(100, 1_000),
        idLessThan: field.describe(
          'Smallest `orderId` of the previous page, for older ones',
          field.optional(identifier.pageCursor()),
        ),
      }),
    ),
    response: listOf(
      object({
        ...withdrawalShape,
        uid: text('User ID'),
        waitingFor: textOrNull(
          `\`${Object.keys(waitingWords).join('`, `')}\`; null when it has ended`,
        ),
        approvals: listOf(text('Operators that have approved it')),
        approvalsNeeded: wholeNumber('Number of approvals that it requires'),
        remark: text('Remark of the user'),
        failure: textOrNull('Reason of the failure'),
      }),
    ),
    rules: [...rules, 'WDR-15', 'WDR-33', 'API-153'],
  }),

  approveWithdrawal: endpoint({
    method: 'POST',
    path: '/operator/v1/withdrawals/:orderId/approve',
    group,
    summary: 'Approve a withdrawal; above the second limit two operators must approve it',
    access: 'operator',
    request: careful(request(decision)),
    response: decided,
    rules: [...rules, 'WDR-15', 'WDR-153', 'WDR-34', 'WDR-158', 'WDR-38', 'API-153'],
  }),

  rejectWithdrawal: endpoint({
    method: 'POST',
    path: '/operator/v1/withdrawals/:orderId/reject',
    group,
    summary: 'Reject a withdrawal that was not sent; it fails and the money returns',
    access: 'operator',
    request: careful(request(decision)),
    response: decided,
    rules: [...rules, 'WDR-15', 'API-153'],
  }),

  confirmWithdrawal: endpoint({
    method: 'POST',
    path: '/operator/v1/withdrawals/:orderId/confirm',
    group,
    summary: 'Count a withdrawal as confirmed on its chain now',
    access: 'operator',
    request: careful(
      request({
        ...decision,
        hash: field.describe(
          'Hash on chain, if it differs from the reported one',
          field.optional(field.text(HASH_LENGTH_MAX)),
        ),
      }),
    ),
    response: decided,
    rules: [...rules, 'WDR-15', 'API-153'],
  }),

  failWithdrawal: endpoint({
    method: 'POST',
    path: '/operator/v1/withdrawals/:orderId/fail',
    group,
    summary: 'Report a withdrawal as failed on its chain; the money returns',
    access: 'operator',
    request: careful(request(decision)),
    response: decided,
    rules: [...rules, 'WDR-15', 'API-153'],
  }),

  switchWithdrawals: endpoint({
    method: 'POST',
    path: '/operator/v1/withdrawals/switch',
    group,
    summary:
      'Switch withdrawals of a coin on or off; while off, nothing is sent and its chains are not called',
    access: 'operator',
    request: exact(
      request({ coin, state: field.describe('State', field.onOrOff()), operator: operatorName }),
    ),
    response: nothing,
    rules: [...rules, 'WDR-35', 'API-58'],
  }),

  listReserves: endpoint({
    method: 'GET',
    path: '/operator/v1/reserves',
    group,
    summary: 'Get the reserves of the exchange and the coins that are halted',
    access: 'operator',
    request: request({}),
    response: listOf(
      object({
        coin: text('Coin'),
        reserve: textOrNull('Reserve of the exchange; null if it is not tracked'),
        withdrawals: word(['on', 'off'], 'Whether the coin can be withdrawn'),
      }),
    ),
    rules: [...rules, 'WDR-39'],
  }),

  setReserve: endpoint({
    method: 'POST',
    path: '/operator/v1/reserves',
    group,
    summary: 'Set the reserve of a coin; credits cannot exceed it',
    access: 'operator',
    request: exact(
      request({
        coin,
        amount: field.describe('Amount; `null` stops tracking the reserve', number.decimalOrNull()),
        operator: operatorName,
      }),
    ),
    response: nothing,
    rules: [...rules, 'WDR-39', 'API-58'],
  }),

  listOperatorActs: endpoint({
    method: 'GET',
    path: '/operator/v1/acts',
    group,
    summary: 'List the audit trail, newest first',
    access: 'operator',
    request: exact(
      request({
        operator: field.describe(
          'Only acts of this operator',
          field.optional(field.text(OPERATOR_LENGTH_MAX)),
        ),
        orderId: field.describe(
          'Only acts on this withdrawal or deposit',
          field.optional(identifier.id()),
        ),
        coin: field.describe('Only this coin', field.optional(identifier.coin())),
        limit: number.pageSize(100, 1_000),
        idLessThan: field.describe(
          'Smallest `id` of the previous page, for older acts',
          field.optional(identifier.pageCursor()),
        ),
      }),
    ),
    response: listOf(
      object({
        id: text('Act ID'),
        time: text('Time (ms)'),
        operator: text('Operator'),
        act: word(OPERATOR_ACTS, 'Act'),
        orderId: textOrNull('Order that the act concerns'),
        uid: textOrNull('User that the act concerns'),
        coin: textOrNull('Coin that the act concerns'),
        detail: textOrNull('Amount or hash'),
        sequence: wholeNumber('Sequence of the command'),
      }),
    ),
    rules: [...rules, 'WDR-36', 'API-152'],
  }),

  planChainFaults: endpoint({
    method: 'POST',
    path: '/operator/v1/chains/faults',
    group,
    summary: 'Make the simulated chain misbehave at its next broadcasts',
    access: 'operator',
    request: exact(
      request({
        fault: field.describe(
          '`refuse` the broadcast, let it `fail` on chain, `lose_request`, `lose_reply` or `repeat_reply`',
          field.sameWords(CHAIN_FAULTS),
        ),
        count: field.describe(
          'Number of broadcasts',
          field.withDefault(number.countUpTo(FAULTS_MAX), 1, '1'),
        ),
      }),
    ),
    response: nothing,
    rules: [...rules, 'WDR-37', 'API-58'],
  }),
} as const;
