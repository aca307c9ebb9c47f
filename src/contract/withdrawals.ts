/**
 * Deposits and withdrawals (v3): withdrawals, internal transfers, deposit addresses and their
 * records.
 */
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { listOf, object, text, word } from './shapes.ts';
import { windowFields } from './trading-fields.ts';
import {
  recipientKindWords,
  withdrawalRouteWords,
  withdrawalStatusWords,
  wordOf,
} from './wire-words.ts';

/** Long enough for a Lightning invoice. */
const ADDRESS_LENGTH_MAX = 1_024;
const NAME_LENGTH_MAX = 128;
/** Longer than a tag or memo of any chain. */
const TAG_LENGTH_MAX = 128;

const group = 'Withdrawals and deposits';

/** The fields of every deposit and withdrawal record; only the names of the times differ. */
export const moveFields = {
  coin: text('Coin'),
  dest: wordOf(withdrawalRouteWords, 'On chain or internal transfer'),
  size: text('Quantity'),
  status: wordOf(withdrawalStatusWords, 'Status'),
  fromAddress: text(
    'Initiator: an address, or for internal transfers a UID, e-mail or mobile number',
  ),
  toAddress: text('Recipient, in the same form'),
  chain: text('Network; empty for internal transfers'),
};

const timeFields = {
  createdTime: text('Creation time (ms)'),
  updatedTime: text('Time of the last change (ms)'),
};

export const recordQuery = {
  coin: field.describe('Records of all coins when left out', field.optional(identifier.coin())),
  orderId: field.describe(
    'Order ID; takes precedence over `clientOid`',
    field.optional(identifier.id()),
  ),
  clientOid: field.describe('Client order ID', field.optional(identifier.clientOid())),
  limit: number.pageSize(20, 100),
};

export const olderRecords = field.describe(
  'Smallest `orderId` of the previous page, for older records',
  field.optional(identifier.pageCursor()),
);

/** The fields of withdrawal records. The operator sees the same and more. */
export const withdrawalShape = {
  orderId: text('Order ID'),
  clientOid: text('Client order ID'),
  recordId: text('Hash on chain, empty until it is known; the order ID for internal transfers'),
  type: word(['withdraw'], 'Type'),
  ...moveFields,
  ...timeFields,
  fee: text('Fee, in the coin withdrawn'),
  confirm: text('Confirmations'),
  tag: text('Address tag'),
};

/** The request fields that both generations of the API share. */
export const withdrawalRequest = request({
  coin: field.describe('Coin', identifier.coin()),
  chain: field.describe('Network; required on chain', field.optional(identifier.chain())),
  transferType: field.describe(
    'On chain, or an internal transfer to another user',
    field.words(withdrawalRouteWords),
  ),
  address: field.describe(
    'Chain address; UID, e-mail or mobile number for a transfer',
    field.text(ADDRESS_LENGTH_MAX),
  ),
  innerToType: field.describe(
    'Kind of address of an internal transfer',
    field.withDefault(field.words(recipientKindWords), 'uid', 'uid'),
  ),
  areaCode: field.describe('Required for a mobile number', field.optional(field.text(8))),
  tag: field.describe(
    'Address tag; some coins require it',
    field.optional(field.text(TAG_LENGTH_MAX)),
  ),
  size: field.describe(
    'Quantity; for Lightning, the amount of the invoice without the fee',
    number.decimal(),
  ),
  remark: field.describe('Remark', field.optional(field.text())),
  clientOid: field.describe(
    'Client order ID; the same one withdraws once',
    field.optional(identifier.clientOid()),
  ),
  memberCode: field.describe(
    'Receiving exchange',
    field.optional(field.sameWords(['bithumb', 'korbit', 'coinone'])),
  ),
  identityType: field.describe(
    'Owner of the target account',
    field.optional(field.sameWords(['company', 'user'])),
  ),
  companyName: field.describe(
    'Required for a company',
    field.optional(field.text(NAME_LENGTH_MAX)),
  ),
  firstName: field.describe('Required for a user', field.optional(field.text(NAME_LENGTH_MAX))),
  lastName: field.describe('Required for a user', field.optional(field.text(NAME_LENGTH_MAX))),
});

export const withdrawalNamed = object({
  orderId: text('Order ID'),
  clientOid: text('Client order ID'),
});

export const cancelWithdrawalRequest = request({
  orderId: field.describe(
    'Order ID; takes precedence over `clientOid`',
    field.optional(identifier.id()),
  ),
  clientOid: field.describe('Client order ID', field.optional(identifier.clientOid())),
});

export const depositAddressRequest = request({
  coin: field.describe('Coin', identifier.coin()),
  chain: field.describe(
    'Network; the first of the coin when left out',
    field.optional(identifier.chain()),
  ),
});

export const depositAddressShape = object({
  address: text('Address'),
  chain: text('Network'),
  coin: text('Coin'),
  tag: text('Tag that the deposit must carry; empty when none is needed'),
  url: text('Address of a block explorer'),
});

export const withdrawalRows = {
  requestWithdrawal: endpoint({
    method: 'POST',
    path: '/api/v3/account/withdrawal',
    aliases: ['/api/v3/account/withdraw'],
    group,
    summary: 'Withdraw on chain, or transfer to another user inside the exchange',
    access: 'uta_mgt.write',
    limit: perSecond(1),
    request: withdrawalRequest,
    example: {
      coin: 'USDT',
      chain: 'ERC20',
      transferType: 'on_chain',
      address: '0x52908400098527886E0F7030069857D2E4169EE7',
      size: '100',
      clientOid: 'my-withdrawal-1',
    },
    response: withdrawalNamed,
    rules: [
      'API-20',
      'API-21',
      'WDR-01',
      'WDR-03',
      'WDR-07',
      'WDR-150',
      'WDR-16',
      'WDR-20',
      'WDR-154',
    ],
  }),

  listWithdrawalRecords: endpoint({
    method: 'GET',
    path: '/api/v3/account/withdrawal-records',
    group,
    summary: 'Get withdrawal records',
    access: 'uta_mgt.read',
    limit: perSecond(10),
    request: request({
      ...recordQuery,
      cursor: olderRecords,
      startTime: field.describe('From (ms); at most 90 days before the end', number.timestamp()),
      endTime: field.describe('To (ms)', number.timestamp()),
    }),
    example: { startTime: '1782000000000', endTime: '1789000000000' },
    response: listOf(object(withdrawalShape)),
    rules: ['API-20', 'WDR-23', 'WDR-24', 'WDR-25', 'WDR-26'],
  }),

  listDepositRecords: endpoint({
    method: 'GET',
    path: '/api/v3/account/deposit-records',
    group,
    summary: 'Get deposit records',
    access: 'uta_mgt.read',
    limit: perSecond(10),
    request: request({
      ...recordQuery,
      cursor: olderRecords,
      ...windowFields('90 days'),
    }),
    response: listOf(
      object({
        orderId: text('Order ID'),
        clientOid: text('Client order ID'),
        recordId: text('Hash on chain; the order ID for internal transfers'),
        type: word(['deposit'], 'Type'),
        ...moveFields,
        ...timeFields,
      }),
    ),
    rules: ['API-23', 'WDR-18', 'MNY-13'],
  }),

  cancelWithdrawal: endpoint({
    method: 'POST',
    path: '/api/v3/account/cancel-withdrawal',
    group,
    summary: 'Cancel a withdrawal that waits for approval',
    access: 'uta_mgt.write',
    limit: perSecond(5),
    request: cancelWithdrawalRequest,
    example: { clientOid: 'my-withdrawal-1' },
    response: word(['success'], 'Done'),
    rules: ['API-23', 'WDR-29', 'WDR-30'],
  }),

  getMaxWithdrawal: endpoint({
    method: 'GET',
    path: '/api/v3/account/max-withdrawal',
    group,
    summary: 'Get the amount of a coin that can be withdrawn now',
    access: 'uta_mgt.read',
    limit: perSecond(10),
    request: request({ coin: field.describe('Coin', identifier.coin()) }),
    response: object({
      coin: text('Coin'),
      spotMaxWithdrawal: text(
        'Funding account; always 0, because there is only the unified account',
      ),
      otcMaxWithdrawal: text('OTC account; always 0, because there is only the unified account'),
      utaMaxWithdrawal: text('Unified account'),
      totalMaxWithdrawal: text('All accounts'),
    }),
    rules: ['API-23', 'WDR-31', 'WDR-157'],
  }),

  getDepositAddress: endpoint({
    method: 'GET',
    path: '/api/v3/account/deposit-address',
    group,
    summary: 'Get the deposit address of a coin',
    access: 'uta_mgt.read',
    limit: perSecond(10),
    request: depositAddressRequest,
    response: depositAddressShape,
    rules: ['API-23', 'WDR-32'],
  }),
} as const;
