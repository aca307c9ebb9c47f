/**
 * Deposits and withdrawals (v2): the same withdrawals, addresses and records as v3, in words of v2.
 */
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as number from './number-fields.ts';
import { listOf, object, text, word } from './shapes.ts';
import { windowFields } from './trading-fields.ts';
import {
  cancelWithdrawalRequest,
  depositAddressRequest,
  depositAddressShape,
  moveFields,
  olderRecords,
  recordQuery,
  withdrawalNamed,
  withdrawalRequest,
} from './withdrawals.ts';

const group = 'Withdrawals and deposits';

const timeFields = {
  cTime: text('Creation time (ms)'),
  uTime: text('Time of the last change (ms)'),
};

const pageFields = { ...recordQuery, idLessThan: olderRecords };

export const spotWalletRows = {
  requestSpotWithdrawal: endpoint({
    method: 'POST',
    path: '/api/v2/spot/wallet/withdrawal',
    group,
    summary: 'Withdraw on chain, or transfer to another user inside the exchange (v2)',
    access: 'uta_mgt.write',
    limit: perSecond(1),
    request: withdrawalRequest,
    example: {
      coin: 'USDT',
      chain: 'ERC20',
      transferType: 'on_chain',
      address: '0x52908400098527886E0F7030069857D2E4169EE7',
      size: '100',
      clientOid: 'my-withdrawal-2',
    },
    response: withdrawalNamed,
    rules: ['WDR-41', 'WDR-07', 'WDR-150', 'WDR-16', 'WDR-20'],
  }),

  listSpotWithdrawalRecords: endpoint({
    method: 'GET',
    path: '/api/v2/spot/wallet/withdrawal-records',
    group,
    summary: 'Get withdrawal records (v2)',
    access: 'uta_mgt.read',
    limit: perSecond(10),
    request: request({
      ...pageFields,
      startTime: field.describe('From (ms); at most 90 days before the end', number.timestamp()),
      endTime: field.describe('To (ms)', number.timestamp()),
    }),
    example: { startTime: '1782000000000', endTime: '1789000000000' },
    response: listOf(
      object({
        orderId: text('Order ID'),
        clientOid: text('Client order ID'),
        tradeId: text(
          'Hash on chain, empty until it is known; the order ID for internal transfers',
        ),
        type: word(['withdraw'], 'Type'),
        ...moveFields,
        fee: text('Fee, in the coin withdrawn; negative when paid'),
        confirm: text('Confirmations'),
        tag: text('Address tag'),
        ...timeFields,
      }),
    ),
    rules: ['WDR-41', 'WDR-42', 'WDR-43'],
  }),

  listSpotDepositRecords: endpoint({
    method: 'GET',
    path: '/api/v2/spot/wallet/deposit-records',
    group,
    summary: 'Get deposit records (v2)',
    access: 'uta_mgt.read',
    limit: perSecond(10),
    request: request({
      ...pageFields,
      ...windowFields('90 days'),
    }),
    response: listOf(
      object({
        orderId: text('Order ID'),
        clientOid: text('Client order ID'),
        tradeId: text('Hash on chain; the order ID for internal transfers'),
        type: word(['deposit'], 'Type'),
        ...moveFields,
        ...timeFields,
      }),
    ),
    rules: ['WDR-41', 'WDR-42', 'WDR-43'],
  }),

  cancelSpotWithdrawal: endpoint({
    method: 'POST',
    path: '/api/v2/spot/wallet/cancel-withdrawal',
    group,
    summary: 'Cancel a withdrawal that waits for approval (v2)',
    access: 'uta_mgt.write',
    limit: perSecond(5),
    request: cancelWithdrawalRequest,
    example: { clientOid: 'my-withdrawal-2' },
    response: word(['success'], 'Done'),
    rules: ['WDR-41', 'WDR-29', 'WDR-30'],
  }),

  getSpotDepositAddress: endpoint({
    method: 'GET',
    path: '/api/v2/spot/wallet/deposit-address',
    group,
    summary: 'Get the deposit address of a coin (v2)',
    access: 'uta_mgt.read',
    limit: perSecond(10),
    request: depositAddressRequest,
    response: depositAddressShape,
    rules: ['WDR-41', 'WDR-32'],
  }),
} as const;
