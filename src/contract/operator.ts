/**
 * The operator API for users, keys and money. It has its own listener and token and uses plain
 * JSON.
 */

import { ADDRESSES_PER_KEY_MAX, EMAIL_LENGTH_MAX } from '../messages/bounds.ts';
import { HOUSE_ACCOUNTS, USER_ACCOUNTS } from '../messages/vocabulary.ts';
import { settingsShape } from './account.ts';
import { careful, endpoint, exact, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { operatorName } from './operator-withdrawals.ts';
import { listOf, nothing, object, text, textOrNull, truth, wholeNumber, word } from './shapes.ts';
import {
  levelWords,
  permissionWords,
  positionModeWords,
  selfTradeModeWords,
  wordOf,
} from './wire-words.ts';

/** A key can have every permission; there are no more kinds. */
const PERMISSIONS_MAX = 32;
const NAME_LENGTH_MAX = 64;
const PHONE_LENGTH_MAX = 32;
const TOKEN_LENGTH_MAX = 128;
const PUBLIC_KEY_LENGTH_MAX = 8_192;

const PUBLIC_KEY = /^[\x20-\x7e\r\n]+$/;
/** A PEM text, the only text with line breaks. */
const publicKey = field.scalar({ type: 'string', maxLength: PUBLIC_KEY_LENGTH_MAX }, (input) =>
  input.length <= PUBLIC_KEY_LENGTH_MAX && PUBLIC_KEY.test(input) ? input : undefined,
);

const group = 'Operator';
const rules = ['API-26'] as const;

export const operatorRows = {
  getHealth: endpoint({
    method: 'GET',
    path: '/operator/v1/health',
    group,
    summary: 'Get the health of the exchange and its latest sequence',
    access: 'anybody',
    request: request({}),
    response: object({
      status: word(['serving', 'starting', 'stopping', 'halted'], 'Whether requests are served'),
      sequence: wholeNumber('Sequence of the last command executed'),
      durable: wholeNumber(
        'Sequence of the last command that was synced to the journal at that time; at most `sequence`',
      ),
      stateHash: text('Hash of the exchange state at `stateHashSequence`'),
      stateHashSequence: wholeNumber(
        'Sequence of `stateHash`: at most `sequence`, and smaller while a large state changes',
      ),
      uptimeMs: wholeNumber('Milliseconds since the start'),
    }),
    rules: [...rules, 'OPR-03', 'OPR-40'],
  }),

  createUser: endpoint({
    method: 'POST',
    path: '/operator/v1/users',
    group,
    summary: 'Create a user',
    access: 'operator',
    request: careful(
      request({
        name: field.describe('Name', field.optional(field.text(NAME_LENGTH_MAX))),
        email: field.describe('E-mail; unique', field.optional(field.text(EMAIL_LENGTH_MAX))),
        areaCode: field.describe(
          'Area code of the mobile number',
          field.optional(field.text(PHONE_LENGTH_MAX)),
        ),
        mobile: field.describe(
          'Mobile number; unique',
          field.optional(field.text(PHONE_LENGTH_MAX)),
        ),
        level: field.describe(
          'Fee level',
          field.withDefault(field.words(levelWords), 'VIP0', 'VIP0'),
        ),
        referralCode: field.describe(
          'Referral code of the agent that referred the user',
          field.optional(field.text(NAME_LENGTH_MAX)),
        ),
        holdMode: field.describe(
          'Position mode',
          field.withDefault(field.words(positionModeWords), 'oneWay', 'one_way_mode'),
        ),
        parentUid: field.describe(
          'Master account, for a sub-account',
          field.optional(identifier.uid()),
        ),
      }),
    ),
    response: object({ uid: text('User ID') }),
    rules: [...rules, 'OPR-04', 'ACC-02', 'ACC-03', 'ACC-06', 'API-153'],
  }),

  listUsers: endpoint({
    method: 'GET',
    path: '/operator/v1/users',
    group,
    summary: 'List users, newest first',
    access: 'operator',
    request: careful(
      request({
        name: field.describe(
          'Only users of this name',
          field.optional(field.text(NAME_LENGTH_MAX)),
        ),
        limit: number.pageSize(100, 1_000),
        uidLessThan: field.describe(
          'Smallest `uid` of the previous page, for older users',
          field.optional(identifier.uid()),
        ),
      }),
    ),
    response: listOf(
      object({
        uid: text('User ID'),
        name: textOrNull('Name; several users may have the same'),
        level: wordOf(levelWords, 'Fee level'),
        parentUid: textOrNull('Master account, for a sub-account'),
      }),
    ),
    rules: [...rules, 'OPR-45', 'API-153'],
  }),

  getUser: endpoint({
    method: 'GET',
    path: '/operator/v1/users/:uid',
    group,
    summary: 'Get the profile, settings and balances of a user',
    access: 'operator',
    request: request({ uid: field.describe('User ID', identifier.uid()) }),
    response: object({
      uid: text('User ID'),
      name: textOrNull('Name'),
      email: textOrNull('E-mail'),
      areaCode: textOrNull('Area code of the mobile number'),
      mobile: textOrNull('Mobile number'),
      level: wordOf(levelWords, 'Fee level'),
      referralCode: textOrNull('Referral code the user registered with'),
      parentUid: textOrNull('Master account, for a sub-account'),
      settings: settingsShape,
      balances: listOf(
        object({
          coin: text('Coin'),
          available: text('Available'),
          locked: text('Held for orders and withdrawals'),
          margin: text('Margin of isolated positions'),
          borrowed: text('Borrowed'),
          interest: text('Interest owed'),
          equity: text(
            'available + locked + margin − borrowed − interest + unrealised profit in the coin',
          ),
        }),
      ),
    }),
    rules: [...rules, 'OPR-04', 'VIEW-04'],
  }),

  setUserSettings: endpoint({
    method: 'POST',
    path: '/operator/v1/users/:uid/settings',
    group,
    summary: 'Set the self-trade prevention of a user, the default of its new orders and triggers',
    access: 'operator',
    request: exact(
      request({
        uid: field.describe('User ID', identifier.uid()),
        stpMode: field.describe('Self-trade prevention', field.words(selfTradeModeWords)),
      }),
    ),
    response: nothing,
    rules: [...rules, 'OPR-34', 'ORD-10', 'TRG-13', 'API-58'],
  }),

  createKey: endpoint({
    method: 'POST',
    path: '/operator/v1/keys',
    group,
    summary: 'Create an API key; its secrets are shown only once',
    access: 'operator',
    request: careful(
      request({
        uid: field.describe('User ID', identifier.uid()),
        permissions: field.describe(
          'Permissions of the key; all when left out',
          field.optional(field.listOf(field.words(permissionWords), PERMISSIONS_MAX)),
        ),
        ips: field.describe(
          'Addresses the key may be used from, at least one; all when left out',
          field.optional(field.listOf(field.text(64), ADDRESSES_PER_KEY_MAX, 1)),
        ),
        publicKey: field.describe(
          'RSA public key (PEM), for keys that sign with RSA',
          field.optional(publicKey),
        ),
      }),
    ),
    response: object({
      apiKey: text('API key'),
      secretKey: text('Secret that signs requests'),
      passphrase: text('Passphrase of the key'),
    }),
    rules: [...rules, 'OPR-05', 'OPR-150', 'ACC-09', 'ACC-10', 'API-153'],
  }),

  revokeKey: endpoint({
    method: 'DELETE',
    path: '/operator/v1/keys/:apiKey',
    group,
    summary: 'Revoke an API key, effective at once',
    access: 'operator',
    request: request({ apiKey: field.describe('API key', field.text(TOKEN_LENGTH_MAX)) }),
    response: nothing,
    rules: [...rules, 'OPR-06', 'ACC-11'],
  }),

  deposit: endpoint({
    method: 'POST',
    path: '/operator/v1/deposits',
    group,
    summary: 'Credit a deposit to a user',
    access: 'operator',
    request: careful(
      request({
        uid: field.describe('User ID', identifier.uid()),
        coin: field.describe('Coin', identifier.coin()),
        size: field.describe('Amount', number.decimal()),
        clientOid: field.describe(
          'Client order ID; the same one credits once',
          field.optional(identifier.clientOid()),
        ),
        operator: operatorName,
      }),
    ),
    response: object({ orderId: text('Deposit order ID') }),
    rules: [...rules, 'OPR-07', 'MNY-13', 'MNY-14', 'MNY-16', 'WDR-39', 'API-153'],
  }),

  listLedger: endpoint({
    method: 'GET',
    path: '/operator/v1/ledger',
    group,
    summary: 'List ledger lines, newest first; they add up to the balances',
    access: 'operator',
    request: careful(
      request({
        uid: field.describe(
          'User ID; lines of all users and of the exchange when left out',
          field.optional(identifier.uid()),
        ),
        coin: field.describe('Coin', field.optional(identifier.coin())),
        limit: number.pageSize(100, 1_000),
        idLessThan: field.describe(
          'Smallest `id` of the previous page, for older lines',
          field.optional(identifier.pageCursor()),
        ),
      }),
    ),
    response: listOf(
      object({
        id: text('Line ID'),
        time: text('Time (ms)'),
        uid: textOrNull('User ID; null for an account of the exchange'),
        coin: text('Coin'),
        account: word([...USER_ACCOUNTS, ...HOUSE_ACCOUNTS], 'Account'),
        amount: text('Amount that the line adds; negative if it subtracts'),
        balance: text('Balance of the account afterwards'),
        reason: text('Reason of the posting'),
        sequence: wholeNumber('Sequence of the command that caused it'),
      }),
    ),
    rules: [...rules, 'OPR-07', 'MNY-12', 'API-153'],
  }),

  audit: endpoint({
    method: 'GET',
    path: '/operator/v1/audit',
    group,
    summary: 'Check every invariant now',
    access: 'operator',
    request: request({}),
    response: object({
      ok: truth('Whether every invariant holds'),
      sequence: wholeNumber('Sequence at which the check ran'),
      stateHash: text('Hash of the exchange state at that sequence'),
      coins: listOf(
        object({
          coin: text('Coin'),
          difference: text('Sum over all accounts; 0 unless money was lost or created'),
          held: text(
            'Holdings of the exchange: its reserve if one is set, otherwise deposits minus withdrawals',
          ),
          owed: text('Balances of users minus their loans'),
          insurance: text('Balance of the insurance fund'),
          clearing: text('Balance of clearing: amounts taken minus amounts paid'),
        }),
      ),
      violations: listOf(text('Invariants that do not hold')),
    }),
    rules: [...rules, 'OPR-12', 'CLK-18', 'WDR-40', 'POS-20'],
  }),

  takeSnapshot: endpoint({
    method: 'POST',
    path: '/operator/v1/snapshot',
    group,
    summary: 'Write a snapshot now',
    access: 'operator',
    request: request({}),
    response: object({ sequence: wholeNumber('Sequence of the snapshot') }),
    rules: [...rules, 'OPR-12'],
  }),

  reset: endpoint({
    method: 'POST',
    path: '/operator/v1/reset',
    group,
    summary: 'Reset the exchange to its first world; keys and the operator token stay',
    access: 'operator',
    request: request({}),
    response: nothing,
    rules: [...rules, 'OPR-30', 'OPR-151', 'OPR-152'],
  }),
} as const;
