/** Requests an on-chain withdrawal. The order of refusals is promised (WDR-07, WDR-150). */
import { given } from '../../kernel/given.ts';
import {
  type Amount,
  decimalsOf,
  minus,
  money,
  moneyFromText,
  moneyText,
  plus,
} from '../../kernel/money.ts';
import { ok, type Result } from '../../kernel/result.ts';
import { startOfDayUtc } from '../../kernel/time.ts';
import type { CommandOf } from '../../messages/commands.ts';
import { type DestinationRule, destinationRule } from '../../messages/destination-rules.ts';
import type { Chain, Coin } from '../../messages/listings.ts';
import type { Rejection } from '../../messages/rejections.ts';
import type { WithdrawalRow } from '../../messages/withdrawals.ts';
import type { Moment } from '../derived/derived.ts';
import { LIVE_WITHDRAWALS_MAX, WITHDRAWALS_MAX } from '../derived/derived.ts';
import { canLeave } from '../margin/free-margin.ts';
import { accept, type Handler, reject, takeId } from '../transaction/step.ts';
import {
  approvalsNeededFor,
  dailyLimitExceeded,
  isAboveSingle,
  isAutomatic,
  usdOf,
} from './limits.ts';
import { chainOf } from './listed-chains.ts';
import { contentOfMoneyOut, priorOutcome, rememberName, sizeText } from './names.ts';
import { beginWithdrawal } from './progress.ts';
import { canCover } from './reserves.ts';

type WithdrawalRequest = CommandOf<'requestWithdrawal'>;
type Faults = ReturnType<typeof reject> | undefined;

/** A coin and one of its open chains. */
interface Destination {
  readonly coin: Coin;
  readonly chain: Chain;
  readonly rule: DestinationRule;
}

type Sums = Pick<WithdrawalRow, 'size' | 'fee' | 'sent' | 'usd'>;

function destinationOf(moment: Moment, command: WithdrawalRequest): Result<Destination, Rejection> {
  const { coins, withdrawals } = moment.state;
  const coin = coins.get(command.coin);
  if (coin === undefined) return reject('coinNotWithdrawn', 'coin', command.coin);
  const input = command.chain;
  if (input === undefined) return reject('fieldMissing', 'chain');
  const chain = chainOf(coin, input);
  if (chain === undefined) return reject('unknownChain', 'chain', input);
  if (withdrawals.halted.has(coin.coin)) return reject('withdrawalsHalted', 'coin', coin.coin);
  if (!chain.withdrawOpen) return reject('chainClosed', 'chain', chain.chain);
  if (command.addressKind !== chain.addressKind) return reject('addressInvalid', 'address');
  const rule = destinationRule(coin.coin, chain.addressKind);
  const fault =
    rule.kind === 'invoice' ? invoiceFault(moment, command) : tagFault(chain, rule.isTag, command);
  return fault ?? ok({ coin, chain, rule });
}

/** A Lightning invoice is valid for one payment of its amount before it expires. */
function invoiceFault({ state, at }: Moment, { invoice, size }: WithdrawalRequest): Faults {
  if (invoice?.amount === undefined) return reject('addressInvalid', 'address');
  const isGood = sizeText(invoice.amount) === sizeText(size) && invoice.expiresAt > at;
  return isGood && !state.withdrawals.invoices.has(invoice.paymentHash)
    ? undefined
    : reject('addressInvalid', 'address');
}

function tagFault(
  { needsTag, chain }: Chain,
  isTag: (tag: string) => boolean,
  { tag }: WithdrawalRequest,
): Faults {
  const isGood = tag === undefined ? !needsTag : isTag(tag);
  return isGood ? undefined : reject('tagNeeded', 'tag', chain);
}

/** Checks the size against the chain, the limits and the balance. */
function sumsOf(
  moment: Moment,
  { uid, size: input }: WithdrawalRequest,
  { coin, chain, rule }: Destination,
): Result<Sums, Rejection> {
  const { state, at } = moment;
  const size = moneyFromText<Amount>(input);
  const decimalsMax = chain.withdrawDecimals;
  if (size === undefined || decimalsOf(size) > decimalsMax)
    return reject('withdrawalTooFine', 'size', `${decimalsMax}`);
  if (size % money<Amount>(chain.withdrawStep) !== 0n)
    return reject('withdrawalOffStep', 'size', chain.withdrawStep);
  if (size < money<Amount>(chain.withdrawMin))
    return reject('withdrawalTooSmall', 'size', chain.withdrawMin);
  const fee = money<Amount>(chain.withdrawFee);
  const sent = rule.kind === 'invoice' ? size : minus(size, fee);
  if (sent <= 0n) return reject('withdrawalNotAboveFee', 'size', chain.withdrawFee);
  const usd = usdOf(state, coin.coin, size);
  if (isAboveSingle(coin, usd)) return reject('withdrawalTooLarge', 'size', coin.singleLimitUsd);
  const limit = dailyLimitExceeded(state, uid, coin, usd, at);
  if (limit !== undefined) return reject('dailyLimitExceeded', 'size', moneyText(limit));
  if (!canLeave(moment, uid, coin.coin, plus(sent, fee)))
    return reject('insufficientBalance', 'size');
  return ok({ size, fee, sent, ...given({ usd }) });
}

export const requestWithdrawal: Handler<'requestWithdrawal'> = (step, command) => {
  const { state, at } = step;
  const { uid, address, tag, invoice, remark, beneficiary } = command;
  const recipient =
    command.recipient !== undefined && state.accounts.has(command.recipient)
      ? command.recipient
      : undefined;
  if (!state.accounts.has(uid)) return reject('unknownUser', 'uid', `${uid}`);
  const content = contentOfMoneyOut(command);
  const before = priorOutcome(state, command, content);
  if (before !== undefined) return before;
  const destination = destinationOf(step, command);
  if (!destination.ok) return destination;
  const sums = sumsOf(step, command, destination.value);
  if (!sums.ok) return sums;
  const { live, names, invoices } = state.withdrawals;
  if (live.size >= LIVE_WITHDRAWALS_MAX || names.size >= WITHDRAWALS_MAX)
    return reject('exchangeFull');

  const { coin, chain } = destination.value;
  const { sent, usd } = sums.value;
  const orderId = takeId(step);
  const clientOid = rememberName(state, command, orderId, content);
  if (invoice !== undefined) invoices.set(invoice.paymentHash, orderId);
  const automatic = isAutomatic(state, coin, usd, at) && canCover(state, coin.coin, sent);
  const row: WithdrawalRow = {
    orderId,
    uid,
    clientOid,
    coin: coin.coin,
    route: 'onChain',
    chain: chain.chain,
    tag: tag ?? '',
    toAddress: address,
    ...sums.value,
    confirmationsNeeded: chain.withdrawConfirmations,
    approvalsNeeded: automatic ? 0 : approvalsNeededFor(coin, usd),
    ...given({ remark, beneficiary, recipient }),
  };
  const stage = automatic ? 'released' : 'approval';
  beginWithdrawal(step, {
    row,
    progress: { stage, approvals: [], confirmations: 0 },
    day: startOfDayUtc(at),
    automatic,
  });
  return accept({ orderId, clientOid });
};
