/**
 * Transfers of a user (v2 and v3): between the wallet and an isolated pair, or within the wallet.
 */
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { object, text } from './shapes.ts';
import { PAIR_TYPE, WALLET_TYPES } from './wire-words.ts';

const accountType = field.sameWords([...WALLET_TYPES, PAIR_TYPE]);

const fields = {
  fromType: field.describe(
    'Source account type; all types except `isolated_margin` are the one wallet',
    accountType,
  ),
  toType: field.describe(
    'Target account type; a transfer within the wallet moves nothing',
    accountType,
  ),
  amount: field.describe('Amount', number.decimal()),
  coin: field.describe('Coin', identifier.coin()),
  symbol: field.describe(
    'Trading pair; required with `isolated_margin`',
    field.optional(identifier.symbol()),
  ),
  clientOid: field.describe(
    'Client order ID; the same one within six hours moves money once',
    field.optional(identifier.clientOid()),
  ),
};

const response = object({ transferId: text('Transfer ID'), clientOid: text('Client ID') });
const rules = ['ISO-09', 'ISO-12', 'ISO-159', 'ACC-32', 'ACC-33'] as const;

export const transferRows = {
  transfer: endpoint({
    method: 'POST',
    path: '/api/v2/spot/wallet/transfer',
    group: 'Isolated spot margin',
    summary: 'Transfer between the wallet and an isolated pair',
    access: 'margin.write',
    limit: perSecond(10),
    request: request(fields),
    example: {
      fromType: 'spot',
      toType: 'isolated_margin',
      amount: '2000',
      coin: 'USDT',
      symbol: 'BTCUSDT',
    },
    response,
    rules,
  }),

  transferUnified: endpoint({
    method: 'POST',
    path: '/api/v3/account/transfer',
    group: 'Unified account',
    summary: 'Transfer between the wallet and an isolated pair (v3)',
    access: 'uta_mgt.write',
    limit: perSecond(5),
    request: request({
      ...fields,
      allowBorrow: field.describe(
        'Ignored: a transfer never borrows',
        field.optional(field.sameWords(['yes', 'no', 'true', 'false'])),
      ),
    }),
    example: { fromType: 'spot', toType: 'uta', amount: '100', coin: 'USDT' },
    response,
    rules,
  }),
} as const;
