/** Withdrawals, deposits and transfers (v2): the v3 functions under v2 names. */
import type { spotWalletRows } from '../../contract/spot-wallet.ts';
import { moneyText, negate } from '../../kernel/money.ts';
import { ok } from '../../kernel/result.ts';
import { SECOND } from '../../kernel/time.ts';
import type { DepositRow } from '../../views/history/deposits.ts';
import type { ListingQueries } from '../../views/listings.ts';
import { THREE_MONTHS } from '../../views/pages.ts';
import type { WithdrawalRecord } from '../../views/records.ts';
import type { HandlersOf } from './handler.ts';
import type { HandlerParts } from './parts.ts';
import { depositRecords, withdrawalRecords } from './withdrawal-lists.ts';
import { depositText, withdrawalText } from './withdrawal-texts.ts';
import { withdrawalHandlers } from './withdrawals.ts';

type SpotWalletHandlers = HandlersOf<typeof spotWalletRows>;

/** A client that requests the last 90 days reads its clock once for each end (WDR-43). */
const SPAN_MAX = THREE_MONTHS + SECOND;

function spotWithdrawalText(listings: ListingQueries, record: WithdrawalRecord) {
  const {
    recordId: tradeId,
    createdTime: cTime,
    updatedTime: uTime,
    ...shown
  } = withdrawalText(listings, record);
  return { ...shown, tradeId, fee: moneyText(negate(record.row.fee)), cTime, uTime };
}

function spotDepositText(listings: ListingQueries, row: DepositRow) {
  const {
    recordId: tradeId,
    createdTime: cTime,
    updatedTime: uTime,
    ...shown
  } = depositText(listings, row);
  return { ...shown, tradeId, cTime, uTime };
}

export function spotWalletHandlers(parts: HandlerParts): SpotWalletHandlers {
  const { views, exchangeNow } = parts;
  const { requestWithdrawal, cancelWithdrawal, getDepositAddress } = withdrawalHandlers(parts);
  return {
    requestSpotWithdrawal: requestWithdrawal,
    cancelSpotWithdrawal: cancelWithdrawal,
    getSpotDepositAddress: getDepositAddress,

    listSpotWithdrawalRecords: async (asked, { uid }) => {
      const found = await withdrawalRecords(views, { ...asked, uid }, exchangeNow(), SPAN_MAX);
      return found.ok
        ? ok(found.value.map((record) => spotWithdrawalText(views.listings, record)))
        : found;
    },

    listSpotDepositRecords: async (asked, { uid }) => {
      const found = await depositRecords(views, { ...asked, uid }, exchangeNow(), SPAN_MAX);
      return found.ok ? ok(found.value.map((row) => spotDepositText(views.listings, row))) : found;
    },
  };
}
