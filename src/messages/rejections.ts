/** Every way to say no: a closed list. The wire's code and words for each stand in `contract/errors.ts` and nowhere else. */
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
  // Who is calling.
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
  'permissionMissing',
  'operatorTokenWrong',
  // How much is asked at once.
  'tooManyRequests',
  'notServing',
  'outcomeUnknown',
  'notOffered',
  // What the exchange knows.
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
  // Prices and the clock.
  'priceDerived',
  'priceJumpTooLarge',
  'clockNotForward',
  'worldOpen',
  // Orders.
  'symbolClosed',
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
  'orderNotNamed',
  'noPosition',
  'notIsolated',
  // Account settings.
  'leverageOutOfRange',
  'marginModeInUse',
  'positionModeInUse',
  // A named maximum of what the exchange keeps is reached.
  'exchangeFull',
  // Reading a request, continued.
  'orderIdNeeded',
  // Orders, continued: looked for and not there.
  'orderNotFound',
  // Account settings, continued.
  'leverageNeedsMargin',
  // Isolated spot margin.
  'noIsolatedMargin',
  'coinNotOfPair',
  'pairBalanceInsufficient',
  'loanTooLarge',
  'nothingOwed',
  'transferTooLarge',
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
  // Well asked, and cannot be done at the moment.
  'copyNotNow',
  // Agents.
  'notAgent',
  'notCustomer',
  // Rehearsed failures.
  'serviceFailed',
  'unknownError',
  'unknownFault',
  // The simulated market.
  'marketOff',
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
  // Triggers.
  'triggerFieldsConflict',
  'tooManyTriggers',
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
  // Agents, continued.
  'unknownReferralCode',
  // Orders, continued: to be changed.
  'orderNotModifiable',
  'orderUnchanged',
  'priceAndSizeNeeded',
  // Reading a request, continued.
  'requestTooLate',
] as const;
export type RejectionReason = (typeof REJECTIONS)[number];

/** Why a caller is not who he says he is: the key and what goes with it, or the operator's token. */
export const CREDENTIAL_REASONS: ReadonlySet<RejectionReason> = new Set([
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
]);

/** A refusal: its reason, the field it is about, and a value worth showing. Never an internal. */
export interface Rejection {
  readonly reason: RejectionReason;
  readonly field?: string;
  readonly detail?: string;
}

export const rejection = (reason: RejectionReason, field?: string, detail?: string): Rejection => ({
  reason,
  ...(field === undefined ? {} : { field }),
  ...(detail === undefined ? {} : { detail }),
});
