/** The unified account (v3): settings, assets, leverage. */
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { listOf, object, sometimes, text, word } from './shapes.ts';
import {
  categoryWords,
  futuresCategoryWords,
  marginModeWords,
  positionModeWords,
  positionSideWords,
  selfTradeModeWords,
  wordOf,
} from './wire-words.ts';

const group = 'Unified account';

/** The settings of an account. The operator reads the same. */
export const settingsShape = object({
  uid: text('User ID'),
  accountMode: word(['unified'], 'Account mode'),
  assetMode: word(['multi_assets'], 'Asset mode'),
  accountLevel: word(['advanced'], 'Trading permission of the account'),
  holdMode: wordOf(positionModeWords, 'Position mode'),
  stpMode: wordOf(selfTradeModeWords, 'Self-trade prevention'),
  symbolConfigList: listOf(
    object({
      category: wordOf(futuresCategoryWords, 'Category'),
      symbol: text('Symbol'),
      marginMode: wordOf(marginModeWords, 'Margin mode'),
      leverage: text('Leverage'),
      longLeverage: sometimes(text('Leverage of the long side (isolated, hedge mode)')),
      shortLeverage: sometimes(text('Leverage of the short side (isolated, hedge mode)')),
    }),
  ),
  coinConfigList: listOf(object({ coin: text('Coin'), leverage: text('Borrowing leverage') })),
});

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
    rules: ['API-20', 'ACC-13', 'ACC-17', 'ACC-26'],
  }),

  getAssets: endpoint({
    method: 'GET',
    path: '/api/v3/account/assets',
    group,
    summary: 'Get equity, margin and assets of the account',
    access: 'uta_mgt.read',
    limit: perSecond(20),
    request: request({
      coin: field.describe('Limits the assets to this coin', field.optional(identifier.coin())),
    }),
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
          available: text('Available'),
          debt: text('Borrowed amount, interest included'),
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
    summary: 'Set the leverage of a futures symbol, or the borrowing leverage of a coin',
    access: 'uta_mgt.write',
    limit: perSecond(10),
    request: request({
      category: field.describe('Category', field.words(categoryWords)),
      symbol: field.describe('Symbol; required for futures', field.optional(identifier.symbol())),
      coin: field.describe('Coin; required for margin', field.optional(identifier.coin())),
      leverage: field.describe('Leverage', field.optional(number.decimal())),
      longLeverage: field.describe(
        'Leverage of the long side (isolated, hedge mode)',
        field.optional(number.decimal()),
      ),
      shortLeverage: field.describe(
        'Leverage of the short side (isolated, hedge mode)',
        field.optional(number.decimal()),
      ),
      posSide: field.describe(
        'Side that `leverage` applies to (isolated, hedge mode)',
        field.optional(field.words(positionSideWords)),
      ),
      marginMode: field.describe(
        "Margin mode that the leverage applies to: the symbol's mode, or `crossed` for margin",
        field.optional(field.words(marginModeWords)),
      ),
    }),
    example: { category: 'USDT-FUTURES', symbol: 'BTCUSDT', leverage: '10' },
    response: word(['success'], 'Done'),
    rules: ['API-23', 'ACC-14', 'ACC-15', 'ACC-16', 'ACC-19', 'ACC-23'],
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
