/**
 * Compares positions, accounts and settings with a model, in every field of every row. Asks both
 * planes, with fresh and stale prices, and after every kind of start.
 */
import { expect, test } from 'vitest';
import { AccountsInquiry } from '../../model/accounts/accounts-inquiry.ts';
import { askThroughStarts } from '../../model/lists/starts.ts';
import { seededRandom } from '../../src/kernel/random.ts';

const SEEDS = [208, 209, 27];
const LENGTH = { firstSteps: 400, steps: 60 };

const inquireInto = (seed: number, counts: Map<string, number>): Promise<void> =>
  askThroughStarts(seed, LENGTH, (run, program) => {
    const inquiry = new AccountsInquiry(run, program, seededRandom(seed).fork('standing'), counts);
    return (turn) => inquiry.ask(turn);
  });

const ENDPOINTS = [
  ...[
    'getAllPositions',
    'getSinglePosition',
    'getCurrentPositions',
    'listFuturesAccounts',
    'getFuturesAccount',
    'getAssets',
  ],
  ...[
    'listSpotAssets',
    'getAccountSettings',
    'getProfile',
    'getClassicProfile',
    'getUser',
    'getMaxWithdrawal',
  ],
];
const POSITIONS = ['crossed', 'isolated'].flatMap((mode) => [
  ...['USDT-FUTURES', 'COIN-FUTURES', 'USDC-FUTURES'].flatMap((category) => [
    `${mode} long of ${category}`,
    `${mode} short of ${category}`,
  ]),
  ...[
    `${mode} in oneWay mode`,
    `${mode} in hedge mode`,
    `${mode} hedged`,
    `${mode} at a frozen mark`,
    `${mode} and somewhere liquidated`,
  ],
]);
const REST = [
  ...[
    'crossed and never liquidated',
    'beyond the first tier',
    'closed in part',
    'funding',
    'a take-profit',
    'a stop-loss',
  ],
  ...['a position where it is halted', 'a position where it is off'],
  ...[
    'orders that increase a position',
    'orders that close it in oneWay mode',
    'orders that close it in hedge mode',
    'margin held by orders',
  ],
  ...[
    'locked by orders',
    'withdrawing',
    'a loan',
    'interest',
    'a loan whose index is stale',
    'shares due',
  ],
  ...[
    'a coin with a partial collateral rate',
    'a coin with collateral rate zero',
    'a coin whose index is stale',
    'equity below zero',
  ],
  ...[
    'free in part',
    'nothing free',
    'held back',
    'withheld for a stale price',
    'withheld in part for a stale price',
  ],
  ...[
    'bounded by a withdrawal limit',
    'own leverage',
    'leverage of a side, isolated in hedge mode',
  ],
  ...['a loan leverage', 'a self-trade mode', 'a customer of an agent'],
];

test('[POS-01][POS-02][POS-03][POS-05][POS-06][POS-07][POS-08][POS-09][POS-12][POS-13][POS-14][POS-15][POS-18][POS-19][POS-21][POS-23][POS-24][POS-32][POS-34][POS-37][POS-38][POS-39][POS-42][POS-44][POS-45][POS-46][POS-47][POS-50][POS-52][POS-92][POS-99][ACC-24][ACC-26][ACC-27][ACC-28][ACC-29][ACC-30][CPY-71][TRG-75][VIEW-04][VIEW-05][VIEW-21][VIEW-32][WDR-31][WDR-51] positions, accounts and settings equal the model, to the last unit', async () => {
  const counts = new Map<string, number>();
  for (const seed of SEEDS) await inquireInto(seed, counts);
  expect([...ENDPOINTS, ...POSITIONS, ...REST].filter((what) => !counts.has(what))).toEqual([]);
});
