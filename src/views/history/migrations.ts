/**
 * The migrations of the history file, in order. Append to them; never change one that was released.
 * History is derived from the journal. So a migration that adds a table or changes the content of
 * rows calls `forget`. The store then asks to be fed from the first command again.
 */
import type { Migration } from 'kysely';
import {
  keepLinesInBlocks,
  keepRowsInBlocks,
  keepRowsTogether,
  shortenEras,
} from './block-migrations.ts';
import { indexLists } from './index-migrations.ts';
import { forgetAll } from './migration-steps.ts';
import {
  createCommissions,
  createInterestCharges,
  createLedgerAndDeposits,
  createWithdrawalsAndActs,
  storeDepositChains,
} from './money-migrations.ts';
import {
  createOrdersFillsAndPositions,
  createTrackedOrders,
  createTriggers,
  storeSpotTriggers,
} from './trading-migrations.ts';

/** The tables stay as they are; only the content of their rows has changed. */
const feedAgain: Migration = { up: forgetAll };

/** By name; they run in the order of their names. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-ledger-lines-and-deposits': createLedgerAndDeposits,
  '0002-orders-fills-and-positions': createOrdersFillsAndPositions,
  '0003-commissions': createCommissions,
  '0004-withdrawals-and-operator-acts': createWithdrawalsAndActs,
  '0005-tracked-orders': createTrackedOrders,
  '0006-ended-triggers': createTriggers,
  '0007-orders-and-fills-together': keepRowsTogether,
  '0008-ledger-lines-in-blocks': keepLinesInBlocks,
  '0009-rows-in-blocks': keepRowsInBlocks,
  '0010-deposits-by-chain': storeDepositChains,
  '0011-names-in-shorter-eras': shortenEras,
  '0012-bills': feedAgain,
  '0013-orders-with-their-ways-out': feedAgain,
  '0014-orders-with-what-placed-them': feedAgain,
  '0015-lists-in-their-order': indexLists,
  '0016-spot-triggers': storeSpotTriggers,
  '0017-interest-charges': createInterestCharges,
};
