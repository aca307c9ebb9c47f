/**
 * The closed list of refusal reasons. The codes and texts of the wire are in `contract/errors.ts`
 * only.
 */
import type { CommandField } from './command-fields.ts';

/** Authentication failures: of a key and its signature, or of the operator's token. */
const CREDENTIALS = [
  'keyMissing',
  'signatureMissing',
  'timestampMissing',
  'passphraseMissing',
  'headerTwice',
  'keyUnknown',
  'timestampExpired',
  'passphraseWrong',
  'signatureWrong',
  'addressNotAllowed',
  'operatorTokenWrong',
] as const;

export const REJECTIONS = [
  // Reading a request.
  'unknownPath',
  'bodyTooLarge',
  'contentTypeNotJson',
  'malformedRequest',
  'fieldMissing',
  'fieldInvalid',
  'fieldOutOfRange',
  'tooManyItems',
  'batchTooLarge',
  'categoriesMixed',
  'oneOfFieldsNeeded',
  'startAfterEnd',
  'spanTooLong',
  'tooLongAgo',
  'requestTooLate',
  // Authentication and permissions.
  ...CREDENTIALS,
  'permissionMissing',
  // Rate limits, and an exchange that cannot answer.
  'tooManyRequests',
  'notServing',
  'outcomeUnknown',
  'notOffered',
  // Injected faults.
  'serviceFailed',
  'unknownError',
  'unknownFault',
  // Unknown objects, and limits on stored objects.
  'unknownUser',
  'unknownCoin',
  'unknownSymbol',
  'unknownKey',
  'duplicateClientOid',
  'duplicateContact',
  'tooManyKeys',
  'tooFine',
  'sizeNotPositive',
  'balanceLimitExceeded',
  'exchangeFull',
  // Prices, the clock and the simulated market.
  'priceDerived',
  'priceJumpTooLarge',
  'clockNotForward',
  'clockMoving',
  'worldOpen',
  'marketOff',
  // Orders.
  'symbolClosed',
  'priceStale',
  'positionSideMismatch',
  'priceOffStep',
  'sizeOffStep',
  'sizeTooSmall',
  'sizeTooLarge',
  'priceTooLow',
  'priceTooHigh',
  'noLiquidity',
  'tooManyOpenOrders',
  'dailyOrdersReached',
  'nothingToClose',
  'closeTooLarge',
  'insufficientMargin',
  'insufficientBalance',
  'unknownOrder',
  'orderIdNeeded',
  'orderNotFound',
  'orderNotModifiable',
  'orderUnchanged',
  'priceAndSizeNeeded',
  'noPosition',
  'notIsolated',
  // Account settings.
  'leverageOutOfRange',
  'leverageNeedsMargin',
  'marginNotSpared',
  'marginModeInUse',
  'positionModeInUse',
  // Isolated spot margin.
  'noIsolatedMargin',
  'coinNotOfPair',
  'pairBalanceInsufficient',
  'loanTooLarge',
  'nothingOwed',
  'transferTooLarge',
  // Triggers.
  'triggerFieldsConflict',
  'tooManyTriggers',
  'tooManySpotTriggers',
  'tooManyTpsl',
  'longTakeProfitTooLow',
  'shortTakeProfitTooHigh',
  'longStopLossTooHigh',
  'shortStopLossTooLow',
  'longTakeProfitBelowMark',
  'shortTakeProfitAboveMark',
  'longStopLossAboveMark',
  'shortStopLossBelowMark',
  'takeProfitExists',
  'stopLossExists',
  'unknownTrigger',
  'unknownTpsl',
  // Copy trading.
  'unknownLeader',
  'followsHimself',
  'leaderFull',
  'cannotFollow',
  'notLeader',
  'notFollowing',
  'symbolNotLed',
  'takeProfitRatioOutOfRange',
  'stopLossRatioOutOfRange',
  'takeProfitOnWrongSide',
  'stopLossOnWrongSide',
  'unknownTrackedOrder',
  'copyNotNow',
  // Agents.
  'notAgent',
  'notCustomer',
  'unknownReferralCode',
  // Withdrawals.
  'coinNotWithdrawn',
  'unknownChain',
  'withdrawalsHalted',
  'chainClosed',
  'addressInvalid',
  'tagNeeded',
  'withdrawalTooFine',
  'withdrawalOffStep',
  'withdrawalTooSmall',
  'withdrawalNotAboveFee',
  'withdrawalTooLarge',
  'dailyLimitExceeded',
  'transferToSelf',
  'unknownRecipient',
  'unknownWithdrawal',
  'withdrawalOutOfTurn',
  'secondOperatorNeeded',
  'reserveTooSmall',
  'depositsClosed',
] as const;
export type RejectionReason = (typeof REJECTIONS)[number];

export const CREDENTIAL_REASONS: ReadonlySet<RejectionReason> = new Set(CREDENTIALS);

/**
 * A refusal by the core: its reason, the field it concerns, and a value to show. It never shows
 * internals. The gateway converts it to a `WireRejection`.
 */
export interface Rejection {
  readonly reason: RejectionReason;
  readonly field?: CommandField;
  readonly detail?: string;
}

export const rejection = (
  reason: RejectionReason,
  field?: CommandField,
  detail?: string,
): Rejection => ({
  reason,
  ...(field === undefined ? {} : { field }),
  ...(detail === undefined ? {} : { detail }),
});
