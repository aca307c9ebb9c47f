/** The operator plane, people side: a second listener with a token, speaking ordinary JSON. */

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

/** As many as one key can have; there are no more kinds. */
const PERMISSIONS_MAX = 32;
const NAME_LENGTH_MAX = 64;
const PHONE_LENGTH_MAX = 32;
const TOKEN_LENGTH_MAX = 128;
const PUBLIC_KEY_LENGTH_MAX = 8_192;

const PUBLIC_KEY = /^[\x20-\x7e\r\n]+$/;
/** A PEM text; it is the only text with line breaks. */
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
    summary: 'Health: is it serving, and how far has it come',
    access: 'anybody',
    request: request({}),
    response: object({
      status: word(['serving', 'starting', 'stopping', 'halted'], 'Whether requests are served'),
      sequence: wholeNumber('Sequence of the last command executed'),
      durable: wholeNumber(
        'Sequence of the last command that was synced to the journal then; at most `sequence`',
      ),
      stateHash: text('Hash of the exchange state at `stateHashSequence`'),
      stateHashSequence: wholeNumber(
        'Sequence that `stateHash` belongs to: at most `sequence`, less while a large state is changing',
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
        email: field.describe(
          'E-mail; one user each',
          field.optional(field.text(EMAIL_LENGTH_MAX)),
        ),
        areaCode: field.describe(
          'Area code of the mobile number',
          field.optional(field.text(PHONE_LENGTH_MAX)),
        ),
        mobile: field.describe(
          'Mobile number; one user each',
          field.optional(field.text(PHONE_LENGTH_MAX)),
        ),
        level: field.describe(
          'Fee level',
          field.withDefault(field.words(levelWords), 'VIP0', 'VIP0'),
        ),
        referralCode: field.describe(
          'Referral code of the agent who brought the user',
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
    summary: 'Users, newest first',
    access: 'operator',
    request: careful(
      request({
        name: field.describe(
          'Only users of this name',
          field.optional(field.text(NAME_LENGTH_MAX)),
        ),
        limit: number.pageSize(100, 1_000),
        uidLessThan: field.describe(
          'Smallest `uid` of the page before; older users',
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
    summary: 'Profile, settings and balances of a user',
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
          available: text('Free to use'),
          locked: text('Held for orders and withdrawals'),
          margin: text('Inside isolated positions'),
          borrowed: text('Borrowed'),
          interest: text('Interest owed'),
          equity: text(
            'available + locked + margin − borrowed − interest + unrealised profit settled in the coin',
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
    summary:
      'Set self-trade prevention of a user: orders and triggers placed from now on take it where they say none',
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
    summary: 'Create an API key; its secrets are shown this once',
    access: 'operator',
    request: careful(
      request({
        uid: field.describe('User ID', identifier.uid()),
        permissions: field.describe(
          'What the key may do; everything when left out',
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
    summary: 'Credit a user from the outside world',
    access: 'operator',
    request: careful(
      request({
        uid: field.describe('User ID', identifier.uid()),
        coin: field.describe('Coin', identifier.coin()),
        size: field.describe('Amount', number.decimal()),
        clientOid: field.describe(
          'The same one credits once',
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
    summary: 'Ledger lines, newest first: they add up to the balances',
    access: 'operator',
    request: careful(
      request({
        uid: field.describe(
          'User ID; lines of every user and of the house when left out',
          field.optional(identifier.uid()),
        ),
        coin: field.describe('Coin', field.optional(identifier.coin())),
        limit: number.pageSize(100, 1_000),
        idLessThan: field.describe(
          'Smallest `id` of the page before; older lines',
          field.optional(identifier.pageCursor()),
        ),
      }),
    ),
    response: listOf(
      object({
        id: text('Line ID'),
        time: text('Time (ms)'),
        uid: textOrNull('User ID; null for an account of the house'),
        coin: text('Coin'),
        account: word([...USER_ACCOUNTS, ...HOUSE_ACCOUNTS], 'Account'),
        amount: text('What the line adds, negative when it takes away'),
        balance: text('What the account holds afterwards'),
        reason: text('Why it was posted'),
        sequence: wholeNumber('Sequence of the command that caused it'),
      }),
    ),
    rules: [...rules, 'OPR-07', 'MNY-12', 'API-153'],
  }),

  audit: endpoint({
    method: 'GET',
    path: '/operator/v1/audit',
    group,
    summary: 'Recompute every invariant now',
    access: 'operator',
    request: request({}),
    response: object({
      ok: truth('Whether everything holds'),
      sequence: wholeNumber('Sequence it was computed at'),
      stateHash: text('Hash of the exchange state at that sequence'),
      coins: listOf(
        object({
          coin: text('Coin'),
          difference: text('Sum over all accounts; 0 when nothing was lost or made'),
          held: text(
            'What the house holds: its reserve where one is told, otherwise all that came in and has not gone out',
          ),
          owed: text('What users own, beyond what they have borrowed'),
          insurance: text('What the insurance fund has'),
          clearing: text(
            'What clearing has taken and not yet paid; below zero when it has paid more',
          ),
        }),
      ),
      violations: listOf(text('What does not hold')),
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
    response: object({ sequence: wholeNumber('Sequence the snapshot stands at') }),
    rules: [...rules, 'OPR-12'],
  }),

  reset: endpoint({
    method: 'POST',
    path: '/operator/v1/reset',
    group,
    summary: 'Start over: the same world, keys and token, and nothing else of what was',
    access: 'operator',
    request: request({}),
    response: nothing,
    rules: [...rules, 'OPR-30', 'OPR-151', 'OPR-152'],
  }),
} as const;
