/** The unified account (v3): settings, assets, leverage, withdrawals and deposits. */
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import { listOf, object, sometimes, text, word } from './shapes.ts';
import {
  categoryWords,
  futuresCategoryWords,
  marginModeWords,
  positionModeWords,
  positionSideWords,
  recipientKindWords,
  selfTradeModeWords,
  withdrawalRouteWords,
  withdrawalStatusWords,
  wordOf,
} from './wire-words.ts';

/** Long enough for a Lightning invoice. */
const ADDRESS_LENGTH_MAX = 1_024;
const NAME_LENGTH_MAX = 128;

const group = 'Unified account';

/** What the account is set to; the operator reads the same. */
export const settingsShape = object({
  uid: text('User ID'),
  accountMode: word(['unified'], 'Account mode'),
  assetMode: word(['multi_assets'], 'Asset mode'),
  accountLevel: word(['advanced'], 'What the account may trade'),
  holdMode: wordOf(positionModeWords, 'Position mode'),
  stpMode: wordOf(selfTradeModeWords, 'Self-trade prevention'),
  symbolConfigList: listOf(
    object({
      category: wordOf(futuresCategoryWords, 'Category'),
      symbol: text('Symbol'),
      marginMode: wordOf(marginModeWords, 'Margin mode'),
      leverage: text('Leverage'),
      longLeverage: sometimes(text('Leverage of the long side, where each side has its own')),
      shortLeverage: sometimes(text('Leverage of the short side, where each side has its own')),
    }),
  ),
  coinConfigList: listOf(object({ coin: text('Coin'), leverage: text('Leverage of borrowing') })),
});

const moveFields = {
  coin: text('Coin'),
  dest: wordOf(withdrawalRouteWords, 'How it travelled'),
  size: text('Quantity'),
  status: wordOf(withdrawalStatusWords, 'Status'),
  fromAddress: text('Initiator: an address, or for internal transfers a UID, e-mail or mobile number'),
  toAddress: text('Recipient, in the same forms'),
  chain: text('Network; empty for internal transfers'),
  createdTime: text('Creation time (ms)'),
  updatedTime: text('Time of the last change (ms)'),
};

const recordQuery = {
  coin: field.describe('Records of all coins when left out', field.optional(field.coin())),
  orderId: field.describe('Order ID; decides when both ids are given', field.optional(field.id())),
  clientOid: field.describe('Client order ID', field.optional(field.clientOid())),
  limit: field.pageSize(20, 100),
  cursor: field.describe('Smallest `orderId` of the page before; older records', field.optional(field.pageCursor())),
};

export const accountRows = {
  getAccountSettings: endpoint({
    method: 'GET',
    path: '/api/v3/account/settings',
    group,
    summary: 'Get account settings',
    access: 'uta_mgt.read',
    limit: perSecond(20),
    request: request({}),
    response: settingsShape,
    rules: ['API-20', 'ACC-13', 'ACC-17'],
  }),

  requestWithdrawal: endpoint({
    method: 'POST',
    path: '/api/v3/account/withdrawal',
    aliases: ['/api/v3/account/withdraw'],
    group,
    summary: 'Withdraw on chain, or transfer to another user',
    access: 'uta_mgt.write',
    limit: perSecond(1),
    request: request({
      coin: field.describe('Coin', field.coin()),
      chain: field.describe('Network; required on chain', field.optional(field.coin())),
      transferType: field.describe('On chain, or to another user', field.words(withdrawalRouteWords)),
      address: field.describe('Chain address; UID, e-mail or mobile number for a transfer', field.text(ADDRESS_LENGTH_MAX)),
      innerToType: field.describe('What the address of a transfer is', field.withDefault(field.words(recipientKindWords), 'uid', 'uid')),
      areaCode: field.describe('Required for a mobile number', field.optional(field.text(8))),
      tag: field.describe('Address tag; some coins require it', field.optional(field.text())),
      size: field.describe('Quantity. For Lightning the amount of the invoice, without the fee', field.decimal()),
      remark: field.describe('Remark', field.optional(field.text())),
      clientOid: field.describe('Client order ID; the same one pays once', field.optional(field.clientOid())),
      memberCode: field.describe('Receiving exchange', field.optional(field.sameWords(['bithumb', 'korbit', 'coinone']))),
      identityType: field.describe('Whose account it is there', field.optional(field.sameWords(['company', 'user']))),
      companyName: field.describe('Required for a company', field.optional(field.text(NAME_LENGTH_MAX))),
      firstName: field.describe('Required for a user', field.optional(field.text(NAME_LENGTH_MAX))),
      lastName: field.describe('Required for a user', field.optional(field.text(NAME_LENGTH_MAX))),
    }),
    response: object({ orderId: text('Order ID'), clientOid: text('Client order ID') }),
    rules: ['API-20', 'API-21', 'WDR-01', 'WDR-03', 'WDR-07', 'WDR-16', 'WDR-20'],
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
      startTime: field.describe('From (ms); at most 90 days before the end', field.timestamp()),
      endTime: field.describe('To (ms)', field.timestamp()),
    }),
    response: listOf(
      object({
        orderId: text('Order ID'),
        clientOid: text('Client order ID'),
        recordId: text('Hash on chain; the order ID for internal transfers'),
        type: word(['withdraw'], 'Type'),
        ...moveFields,
        fee: text('Fee, in the coin withdrawn'),
        confirm: text('Confirmations'),
        tag: text('Address tag'),
      }),
    ),
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
      startTime: field.describe('From (ms); at most 90 days before the end', field.optional(field.timestamp())),
      endTime: field.describe('To (ms)', field.optional(field.timestamp())),
    }),
    response: listOf(
      object({
        orderId: text('Order ID'),
        clientOid: text('Client order ID'),
        recordId: text('Hash on chain; the order ID for internal transfers'),
        type: word(['deposit'], 'Type'),
        ...moveFields,
      }),
    ),
    rules: ['API-23', 'WDR-18', 'MNY-13'],
  }),

  getAssets: endpoint({
    method: 'GET',
    path: '/api/v3/account/assets',
    group,
    summary: 'Get equity, margin and assets of the account',
    access: 'uta_mgt.read',
    limit: perSecond(20),
    request: request({ coin: field.describe('Only this coin among the assets', field.optional(field.coin())) }),
    response: object({
      accountEquity: text('Equity in USD'),
      usdtEquity: text('Equity in USDT'),
      btcEquity: text('Equity in BTC'),
      unrealisedPnl: text('Unrealised profit in USD'),
      usdtUnrealisedPnl: text('Unrealised profit in USDT'),
      btcUnrealizedPnl: text('Unrealised profit in BTC'),
      effEquity: text('Equity that counts as margin, in USD'),
      mmr: text('Maintenance margin in USD'),
      imr: text('Initial margin in USD'),
      mgnRatio: text('Maintenance margin / effective equity'),
      positionMgnRatio: text('Initial margin of positions / effective equity'),
      assets: listOf(
        object({
          coin: text('Coin'),
          equity: text('Equity'),
          usdValue: text('Equity in USD'),
          balance: text('Wallet balance'),
          available: text('Free to use'),
          debt: text('Borrowed, with interest'),
          locked: text('Held'),
        }),
      ),
    }),
    rules: ['API-23', 'VIEW-04'],
  }),

  setLeverage: endpoint({
    method: 'POST',
    path: '/api/v3/account/set-leverage',
    group,
    summary: 'Set the leverage of a futures symbol or of borrowing a coin',
    access: 'uta_mgt.write',
    limit: perSecond(10),
    request: request({
      category: field.describe('Category', field.words(categoryWords)),
      symbol: field.describe('Symbol; required for futures', field.optional(field.symbol())),
      coin: field.describe('Coin; required for margin', field.optional(field.coin())),
      leverage: field.describe('Leverage', field.optional(field.decimal())),
      longLeverage: field.describe('Leverage of the long side (isolated, hedge mode)', field.optional(field.decimal())),
      shortLeverage: field.describe('Leverage of the short side (isolated, hedge mode)', field.optional(field.decimal())),
      posSide: field.describe('Which side `leverage` is for (isolated, hedge mode)', field.optional(field.words(positionSideWords))),
      marginMode: field.describe('Margin mode', field.optional(field.words(marginModeWords))),
    }),
    response: word(['success'], 'Done'),
    rules: ['API-23', 'ACC-14', 'ACC-15', 'ACC-16', 'ACC-19'],
  }),

  setHoldMode: endpoint({
    method: 'POST',
    path: '/api/v3/account/set-hold-mode',
    group,
    summary: 'Set the position mode of the account',
    access: 'uta_mgt.write',
    limit: perSecond(10),
    request: request({ holdMode: field.describe('Position mode', field.words(positionModeWords)) }),
    response: word(['success'], 'Done'),
    rules: ['API-23', 'ACC-17', 'ACC-18', 'ACC-20'],
  }),
} as const;
