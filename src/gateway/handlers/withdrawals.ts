/**
 * Withdrawals, deposits and transfers (v3). The gateway checks the form of an address once; the
 * core decides on the withdrawal.
 */
import type { RequestOf } from '../../contract/endpoint.ts';
import { wireRejection } from '../../contract/wire-rejections.ts';
import type { withdrawalRows } from '../../contract/withdrawals.ts';
import { given } from '../../kernel/given.ts';
import { idText, type Uid } from '../../kernel/ids.ts';
import { moneyText } from '../../kernel/money.ts';
import { ok, refuse } from '../../kernel/result.ts';
import type { CommandOf } from '../../messages/commands.ts';
import { destinationRule } from '../../messages/destination-rules.ts';
import type { Coin } from '../../messages/listings.ts';
import type { Beneficiary } from '../../messages/withdrawals.ts';
import type { ListingQueries } from '../../views/listings.ts';
import { THREE_MONTHS } from '../../views/pages.ts';
import { maxWithdrawal } from '../../views/withdrawal-limits.ts';
import { isAddressOf } from '../chains/address-rules.ts';
import { depositAddress, ownerOfAddress } from '../chains/deposit-addresses.ts';
import { readInvoice } from '../chains/invoices.ts';
import { phoneNumber } from '../phone-numbers.ts';
import type { HandlersOf, Reply } from './handler.ts';
import { type HandlerParts, submitAndShow } from './parts.ts';
import { depositRecords, refusalOfNamed, withdrawalRecords } from './withdrawal-lists.ts';
import { depositText, withdrawalText } from './withdrawal-texts.ts';

type WithdrawalHandlers = HandlersOf<typeof withdrawalRows>;
type Asked = RequestOf<(typeof withdrawalRows)['requestWithdrawal']>;
type WriteName = 'requestWithdrawal' | 'cancelWithdrawal';

/** The owner of the account at another exchange; all fields or none. */
function beneficiaryOf({
  memberCode,
  identityType,
  companyName,
  firstName,
  lastName,
}: Asked): Reply<Beneficiary | undefined> {
  if (memberCode === undefined) return ok(undefined);
  if (identityType === undefined) return refuse(wireRejection('fieldMissing', 'identityType'));
  const needed = identityType === 'company' ? { companyName } : { firstName, lastName };
  const missing = Object.entries(needed).find(([, name]) => name === undefined)?.[0];
  if (missing !== undefined) return refuse(wireRejection('fieldMissing', missing));
  return ok({ memberCode, identityType, ...needed });
}

function moneyOutOf(
  uid: Uid,
  { coin, size, remark, clientOid }: Asked,
  beneficiary: Beneficiary | undefined,
) {
  return { uid, coin, size, ...given({ remark, clientOid, beneficiary }) };
}

/**
 * Checks the address by the rules of the named chain. An unknown chain has none, and the core
 * refuses it.
 */
function onChainCommand(
  uid: Uid,
  asked: Asked,
  beneficiary: Beneficiary | undefined,
  coin: Coin | undefined,
): CommandOf<'requestWithdrawal'> {
  const address = asked.address.trim();
  const { tag } = asked;
  const chain = coin?.chains.find((each) => each.chain.toUpperCase() === asked.chain);
  const isAddress = chain !== undefined && isAddressOf(chain.addressKind, address);
  const recipient = isAddress ? ownerOfAddress(chain, { address, tag }) : undefined;
  // Money sent to oneself would leave and return, less the fee (WDR-44).
  const addressKind = isAddress && recipient !== uid ? chain.addressKind : undefined;
  const isInvoice =
    addressKind !== undefined && destinationRule(asked.coin, addressKind).kind === 'invoice';
  const invoice = isInvoice ? readInvoice(address) : undefined;
  return {
    type: 'requestWithdrawal',
    ...moneyOutOf(uid, asked, beneficiary),
    address,
    ...given({ chain: asked.chain, tag, addressKind, invoice, recipient }),
  };
}

/** The canonical form of a contact, so that any spelling names the same user (WDR-154). */
const oneForm = (kind: 'uid' | 'email', address: string): string =>
  kind === 'email' ? address.trim().toLowerCase() : address.trim();

function transferCommand(
  uid: Uid,
  asked: Asked,
  beneficiary: Beneficiary | undefined,
): Reply<CommandOf<'transferToUser'>> {
  const { innerToType: recipientKind, address } = asked;
  const moneyOut = moneyOutOf(uid, asked, beneficiary);
  if (recipientKind !== 'mobile')
    return ok({
      type: 'transferToUser',
      ...moneyOut,
      recipientKind,
      recipient: oneForm(recipientKind, address),
    });
  if (asked.areaCode === undefined) return refuse(wireRejection('fieldMissing', 'areaCode'));
  const { areaCode, mobile } = phoneNumber(asked.areaCode, address);
  return ok({ type: 'transferToUser', ...moneyOut, recipientKind, recipient: mobile, areaCode });
}

const changing = ({ submit, views, chain }: HandlerParts): Pick<WithdrawalHandlers, WriteName> => ({
  requestWithdrawal: async (asked, { uid }) => {
    const beneficiary = beneficiaryOf(asked);
    if (!beneficiary.ok) return beneficiary;
    const show = ({
      orderId,
      clientOid,
    }: {
      orderId: Parameters<typeof idText>[0];
      clientOid: string;
    }) => ({
      orderId: idText(orderId),
      clientOid,
    });
    if (asked.transferType === 'internal') {
      const transfer = transferCommand(uid, asked, beneficiary.value);
      return transfer.ok ? submitAndShow(submit, transfer.value, show) : transfer;
    }
    const reply = await submitAndShow(
      submit,
      onChainCommand(uid, asked, beneficiary.value, views.listings.coin(asked.coin)),
      show,
    );
    if (reply.ok) chain.nudge();
    return reply;
  },

  cancelWithdrawal: async (named, { uid }) => {
    const outcome = await submit({ type: 'cancelWithdrawal', uid, ...named });
    return outcome.ok
      ? ok('success' as const)
      : refuse(await refusalOfNamed(views, outcome.refusal, { uid, ...named }));
  },
});

function depositAddressOf(
  listings: ListingQueries,
  uid: Uid,
  coin: string,
  input: string | undefined,
) {
  const listed = listings.coin(coin);
  if (listed === undefined) return refuse(wireRejection('coinNotWithdrawn', 'coin', coin));
  const chain =
    input === undefined
      ? listed.chains[0]
      : listed.chains.find((each) => each.chain.toUpperCase() === input);
  if (chain === undefined) return refuse(wireRejection('unknownChain', 'chain', input));
  const found = chain.depositOpen ? depositAddress(uid, chain) : undefined;
  return found === undefined
    ? refuse(wireRejection('depositsClosed', 'chain', chain.chain))
    : ok({ ...found, chain: chain.chain, coin, url: '' });
}

const reading = ({ views, exchangeNow }: HandlerParts): Omit<WithdrawalHandlers, WriteName> => {
  const { listings } = views;
  return {
    listWithdrawalRecords: async ({ cursor, ...asked }, { uid }) => {
      const found = await withdrawalRecords(
        views,
        { ...asked, uid, idLessThan: cursor },
        exchangeNow(),
        THREE_MONTHS,
      );
      return found.ok ? ok(found.value.map((record) => withdrawalText(listings, record))) : found;
    },

    listDepositRecords: async ({ cursor, ...asked }, { uid }) => {
      const found = await depositRecords(
        views,
        { ...asked, uid, idLessThan: cursor },
        exchangeNow(),
        THREE_MONTHS,
      );
      return found.ok ? ok(found.value.map((row) => depositText(views.listings, row))) : found;
    },

    getMaxWithdrawal: ({ coin }, { uid }) => {
      const listed = listings.coin(coin);
      if (listed === undefined) return refuse(wireRejection('coinNotWithdrawn', 'coin', coin));
      const most = moneyText(maxWithdrawal(views, uid, listed, exchangeNow()));
      return ok({
        coin,
        spotMaxWithdrawal: '0',
        otcMaxWithdrawal: '0',
        utaMaxWithdrawal: most,
        totalMaxWithdrawal: most,
      });
    },

    getDepositAddress: ({ coin, chain }, { uid }) => depositAddressOf(listings, uid, coin, chain),
  };
};

export const withdrawalHandlers = (parts: HandlerParts): WithdrawalHandlers => ({
  ...changing(parts),
  ...reading(parts),
});
