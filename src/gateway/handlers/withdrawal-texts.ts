/** Withdrawals and deposits in wire form. */
import {
  wireWord,
  withdrawalRouteWords,
  withdrawalStatusWords,
} from '../../contract/wire-words.ts';
import { idText } from '../../kernel/ids.ts';
import { moneyText } from '../../kernel/money.ts';
import type { Chain } from '../../messages/listings.ts';
import type { WithdrawalStage } from '../../messages/vocabulary.ts';
import type { DepositRow } from '../../views/history/deposits.ts';
import type { ListingQueries } from '../../views/listings.ts';
import type { WithdrawalRecord } from '../../views/records.ts';
import { kindOfAddress } from '../chains/address-rules.ts';
import { depositAddress, houseAddress, outsideAddress } from '../chains/deposit-addresses.ts';

const WAITING: Readonly<Record<WithdrawalStage, 'approval' | 'broadcast' | 'confirmations'>> = {
  approval: 'approval',
  released: 'broadcast',
  asked: 'broadcast',
  confirming: 'confirmations',
};

export const waitingText = ({ status, progress }: WithdrawalRecord) =>
  status === 'pending' ? WAITING[progress.stage] : null;

/** The house's address on the chain of the given address. */
function houseAddressBeside(address: string): string {
  const kind = kindOfAddress(address);
  return kind === undefined ? '' : houseAddress(kind);
}

const chainOf = (
  listings: ListingQueries,
  coin: string,
  name: string | undefined,
): Chain | undefined => listings.coin(coin)?.chains.find(({ chain }) => chain === name);

/**
 * A transfer shows its sender; a withdrawal shows the house's address, even if the chain is no
 * longer listed.
 */
function fromAddressOf(listings: ListingQueries, { row }: WithdrawalRecord): string {
  if (row.route === 'internal') return String(row.uid);
  const chain = chainOf(listings, row.coin, row.chain);
  return chain === undefined ? houseAddressBeside(row.toAddress) : houseAddress(chain.addressKind);
}

export function withdrawalText(listings: ListingQueries, record: WithdrawalRecord) {
  const { row, progress, status, createdAt, updatedAt } = record;
  const orderId = idText(row.orderId);
  return {
    orderId,
    clientOid: row.clientOid as string,
    recordId: row.route === 'internal' ? orderId : (progress.hash ?? ''),
    type: 'withdraw' as const,
    coin: row.coin,
    dest: wireWord(withdrawalRouteWords, row.route),
    size: moneyText(row.size),
    status: wireWord(withdrawalStatusWords, status),
    fromAddress: fromAddressOf(listings, record),
    toAddress: row.toAddress,
    chain: row.chain,
    fee: moneyText(row.fee),
    confirm: String(progress.confirmations),
    tag: row.tag,
    createdTime: String(createdAt),
    updatedTime: String(updatedAt),
  };
}

/** The operator also sees the owner and the waiting stage. */
export const deskText = (listings: ListingQueries, record: WithdrawalRecord) => ({
  ...withdrawalText(listings, record),
  uid: String(record.row.uid),
  waitingFor: waitingText(record),
  approvals: record.progress.approvals,
  approvalsNeeded: record.row.approvalsNeeded,
  remark: record.row.remark ?? '',
  failure: record.failure ?? null,
});

interface Ends {
  readonly fromAddress: string;
  readonly toAddress: string;
}

/**
 * A deposit to a user's own address that was sent from here (WDR-46), or one from outside (WDR-52).
 */
function endsOf(listings: ListingQueries, row: DepositRow): Ends {
  const { uid, coin, fromAddress, toAddress } = row;
  if (toAddress !== undefined)
    return { fromAddress: fromAddress ?? houseAddressBeside(toAddress), toAddress };
  const chain = chainOf(listings, coin, row.chain);
  if (chain === undefined) return { fromAddress: '', toAddress: String(uid) };
  return {
    fromAddress: outsideAddress(chain.addressKind),
    toAddress: depositAddress(uid, chain)?.address ?? String(uid),
  };
}

export function depositText(listings: ListingQueries, row: DepositRow) {
  const orderId = idText(row.id);
  return {
    orderId,
    clientOid: row.clientOid as string,
    recordId: row.recordId ?? orderId,
    type: 'deposit' as const,
    coin: row.coin,
    dest: row.fromAddress === undefined ? ('on_chain' as const) : ('internal_transfer' as const),
    size: moneyText(row.amount),
    status: 'success' as const,
    ...endsOf(listings, row),
    chain: row.chain ?? '',
    createdTime: String(row.time),
    updatedTime: String(row.time),
  };
}
