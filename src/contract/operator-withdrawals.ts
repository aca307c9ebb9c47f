/**
 * The operator plane, withdrawal side: the desk, the kill switch, what the house holds, and the
 * audit trail.
 */
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
/** Broadcasts that one fault can be planned for. */
const FAULTS_MAX = 1_000;

const group = 'Operator: withdrawals';
const rules = ['API-26'] as const;

/** Who acts: all hold one token, so each says his name. */
export const operatorName = field.describe(
  'Who acts, for the audit trail; a second approval needs another name',
  field.withDefault(field.text(OPERATOR_LENGTH_MAX), 'operator', 'operator'),
);
const orderId = field.describe('Order ID', identifier.id());
const coin = field.describe('Coin', identifier.coin());

/** Ways in which the simulated chain can misbehave. */
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
  waitingFor: textOrNull('What it waits for now; null when it has ended'),
});

export const operatorWithdrawalRows = {
  listWithdrawals: endpoint({
    method: 'GET',
    path: '/operator/v1/withdrawals',
    group,
    summary: 'Withdrawals of all users, newest first',
    access: 'operator',
    request: careful(
      request({
        status: field.describe(
          'Only those of this status',
          field.optional(field.words(withdrawalStatusWords)),
        ),
        uid: field.describe('Only those of this user', field.optional(identifier.uid())),
        coin: field.describe('Only this coin', field.optional(identifier.coin())),
        limit: number.pageSize(100, 1_000),
        idLessThan: field.describe(
          'Smallest `orderId` of the page before; older ones',
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
        approvals: listOf(text('Who has approved it')),
        approvalsNeeded: wholeNumber('How many must'),
        remark: text('What its owner remarked'),
        failure: textOrNull('Why it failed'),
      }),
    ),
    rules: [...rules, 'WDR-15', 'WDR-33', 'API-153'],
  }),

  approveWithdrawal: endpoint({
    method: 'POST',
    path: '/operator/v1/withdrawals/:orderId/approve',
    group,
    summary: 'Let a withdrawal out; above the second limit two operators do',
    access: 'operator',
    request: careful(request(decision)),
    response: decided,
    rules: [...rules, 'WDR-15', 'WDR-153', 'WDR-34', 'WDR-158', 'WDR-38', 'API-153'],
  }),

  rejectWithdrawal: endpoint({
    method: 'POST',
    path: '/operator/v1/withdrawals/:orderId/reject',
    group,
    summary: 'Refuse a withdrawal that was not sent: it fails and the money returns',
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
          'Hash on chain, if another than was reported',
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
    summary: 'Report a withdrawal as failed on its chain: the money returns',
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
      'The kill switch of a coin: off, nothing of it leaves and nothing is asked of its chains',
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
    summary: 'What the house is known to hold, and which coins are halted',
    access: 'operator',
    request: request({}),
    response: listOf(
      object({
        coin: text('Coin'),
        reserve: textOrNull('What the house is known to hold; null while it is not watched'),
        withdrawals: word(['on', 'off'], 'Whether the coin can be withdrawn'),
      }),
    ),
    rules: [...rules, 'WDR-39'],
  }),

  setReserve: endpoint({
    method: 'POST',
    path: '/operator/v1/reserves',
    group,
    summary: 'Tell what the house holds of a coin: no credit goes beyond it',
    access: 'operator',
    request: exact(
      request({
        coin,
        amount: field.describe('Amount; `null`: it is no longer watched', number.decimalOrNull()),
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
    summary: 'The audit trail: who did what and when, newest first',
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
          'Smallest `id` of the page before; older acts',
          field.optional(identifier.pageCursor()),
        ),
      }),
    ),
    response: listOf(
      object({
        id: text('Act ID'),
        time: text('Time (ms)'),
        operator: text('Who'),
        act: word(OPERATOR_ACTS, 'What'),
        orderId: textOrNull('On which order'),
        uid: textOrNull('On whose account'),
        coin: textOrNull('In which coin'),
        detail: textOrNull('How much, or under which hash'),
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
          '`refuse` it, let it `fail` on chain, `lose_request` or `lose_reply`, `repeat_reply`',
          field.sameWords(CHAIN_FAULTS),
        ),
        count: field.describe(
          'How many broadcasts',
          field.withDefault(number.countUpTo(FAULTS_MAX), 1, '1'),
        ),
      }),
    ),
    response: nothing,
    rules: [...rules, 'WDR-37', 'API-58'],
  }),
} as const;
