/**
 * Totals of an account, by coin and by account type, as clients of several API generations request
 * them.
 */
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import { listOf, object, text, word } from './shapes.ts';

const group = 'Unified account';

/** Account types that clients know, in their order in the list. */
export const ACCOUNT_TYPES = ['spot', 'futures', 'funding', 'earn', 'bots', 'margin'] as const;

export const accountTotalRows = {
  listFundingAssets: endpoint({
    method: 'GET',
    path: '/api/v3/account/funding-assets',
    group,
    summary: 'Get the coins of the wallet under the path of a funding account; both are one wallet',
    access: 'uta_mgt.read',
    limit: perSecond(20),
    request: request({ coin: field.describe('Only this coin', field.optional(identifier.coin())) }),
    response: listOf(
      object({
        coin: text('Coin'),
        available: text('Available to spend or transfer'),
        frozen: text('Held for orders and withdrawals'),
        balance: text('Both together'),
      }),
    ),
    rules: ['ACC-34'],
  }),

  listAccountBalances: endpoint({
    method: 'GET',
    path: '/api/v2/account/all-account-balance',
    group,
    summary: 'Get the value of the account in USDT, by account type',
    access: 'uta_mgt.read',
    limit: perSecond(1),
    request: request({}),
    response: listOf(
      object({
        accountType: word(ACCOUNT_TYPES, 'Account type'),
        usdtBalance: text('Value in USDT at index prices'),
      }),
    ),
    rules: ['ACC-35'],
  }),
} as const;
