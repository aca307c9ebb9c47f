/**
 * What a simulation of a given size must meet at least once. Every new feature needs a row here, or
 * no simulation covers it.
 */
import type { Coin, Instrument } from '../../src/messages/listings.ts';
import { REJECTIONS, type RejectionReason } from '../../src/messages/rejections.ts';
import {
  CANCEL_REASONS,
  CATEGORIES,
  ENTRY_REASONS,
  EXECUTION_KINDS,
  FUTURES_CATEGORIES,
  TRIGGER_CANCEL_REASONS,
  TRIGGER_KINDS,
} from '../../src/messages/vocabulary.ts';
import { type Coverage, WAITING_WORK } from '../../src/simulator/coverage.ts';
import { MOODS } from '../../src/simulator/population/price-paths.ts';

/** A run with fewer commands may miss some cases by chance. */
const COMMANDS_FOR_COVERAGE = 200_000;
/**
 * A run with fewer seeds may miss some: each seed draws its disk faults and position modes once.
 */
const SEEDS_FOR_COVERAGE = 10;
const COMMANDS_FOR_RARE_COVERAGE = 1_000_000;

/**
 * No order has the kind `delivery` yet. An order that meets too many makers needs more orders than
 * this crowd places.
 */
const NOT_SIMULATED: ReadonlySet<string> = new Set(['delivery', 'tooManyTrades']);
const simulated = (words: readonly string[]): readonly string[] =>
  words.filter((word) => !NOT_SIMULATED.has(word));

/**
 * Where a refusal occurs. `always` and `rarely`: in a run of the smaller or only of the larger
 * size. `notDrawn`: the crowd never causes it, so unit tests do. `atBorder`: the gateway or a query
 * refuses, and no engine takes part.
 */
const REFUSALS: Readonly<Record<RejectionReason, 'always' | 'rarely' | 'notDrawn' | 'atBorder'>> = {
  unknownPath: 'atBorder',
  bodyTooLarge: 'atBorder',
  contentTypeNotJson: 'atBorder',
  malformedRequest: 'atBorder',
  fieldMissing: 'always',
  fieldInvalid: 'always',
  fieldOutOfRange: 'always',
  tooManyItems: 'notDrawn',
  batchTooLarge: 'atBorder',
  categoriesMixed: 'atBorder',
  oneOfFieldsNeeded: 'notDrawn',
  startAfterEnd: 'atBorder',
  spanTooLong: 'atBorder',
  tooLongAgo: 'atBorder',
  keyMissing: 'atBorder',
  signatureMissing: 'atBorder',
  timestampMissing: 'atBorder',
  passphraseMissing: 'atBorder',
  headerTwice: 'atBorder',
  keyUnknown: 'atBorder',
  timestampExpired: 'atBorder',
  passphraseWrong: 'atBorder',
  signatureWrong: 'atBorder',
  addressNotAllowed: 'atBorder',
  permissionMissing: 'atBorder',
  operatorTokenWrong: 'atBorder',
  tooManyRequests: 'atBorder',
  notServing: 'atBorder',
  outcomeUnknown: 'atBorder',
  notOffered: 'atBorder',
  unknownUser: 'always',
  unknownCoin: 'always',
  unknownSymbol: 'always',
  unknownKey: 'always',
  duplicateClientOid: 'always',
  duplicateContact: 'rarely',
  tooManyKeys: 'notDrawn',
  tooFine: 'always',
  sizeNotPositive: 'always',
  balanceLimitExceeded: 'always',
  priceDerived: 'notDrawn',
  priceJumpTooLarge: 'always',
  clockNotForward: 'always',
  worldOpen: 'notDrawn',
  symbolClosed: 'always',
  priceStale: 'always',
  positionSideMismatch: 'rarely',
  priceOffStep: 'always',
  sizeOffStep: 'always',
  sizeTooSmall: 'always',
  sizeTooLarge: 'always',
  priceTooLow: 'always',
  priceTooHigh: 'always',
  noLiquidity: 'always',
  tooManyOpenOrders: 'rarely',
  dailyOrdersReached: 'always',
  nothingToClose: 'always',
  closeTooLarge: 'always',
  insufficientMargin: 'always',
  insufficientBalance: 'always',
  unknownOrder: 'always',
  orderIdNeeded: 'always',
  noPosition: 'always',
  notIsolated: 'always',
  leverageOutOfRange: 'always',
  marginModeInUse: 'always',
  positionModeInUse: 'always',
  exchangeFull: 'notDrawn',
  orderNotFound: 'atBorder',
  leverageNeedsMargin: 'always',
  marginNotSpared: 'always',
  noIsolatedMargin: 'always',
  coinNotOfPair: 'always',
  pairBalanceInsufficient: 'always',
  loanTooLarge: 'always',
  nothingOwed: 'always',
  transferTooLarge: 'rarely',
  unknownLeader: 'always',
  followsHimself: 'always',
  leaderFull: 'notDrawn',
  cannotFollow: 'always',
  notLeader: 'always',
  notFollowing: 'always',
  symbolNotLed: 'notDrawn',
  takeProfitRatioOutOfRange: 'notDrawn',
  stopLossRatioOutOfRange: 'notDrawn',
  takeProfitOnWrongSide: 'always',
  stopLossOnWrongSide: 'always',
  unknownTrackedOrder: 'always',
  copyNotNow: 'rarely',
  notAgent: 'atBorder',
  notCustomer: 'atBorder',
  serviceFailed: 'atBorder',
  unknownError: 'atBorder',
  unknownFault: 'atBorder',
  marketOff: 'atBorder',
  clockMoving: 'atBorder',
  coinNotWithdrawn: 'always',
  unknownChain: 'always',
  withdrawalsHalted: 'always',
  chainClosed: 'always',
  addressInvalid: 'always',
  tagNeeded: 'always',
  withdrawalTooFine: 'notDrawn',
  withdrawalOffStep: 'notDrawn',
  withdrawalTooSmall: 'always',
  withdrawalNotAboveFee: 'always',
  withdrawalTooLarge: 'always',
  dailyLimitExceeded: 'always',
  transferToSelf: 'always',
  unknownRecipient: 'always',
  unknownWithdrawal: 'always',
  withdrawalOutOfTurn: 'always',
  secondOperatorNeeded: 'notDrawn',
  reserveTooSmall: 'notDrawn',
  depositsClosed: 'atBorder',
  triggerFieldsConflict: 'always',
  tooManySpotTriggers: 'notDrawn',
  tooManyTriggers: 'notDrawn',
  tooManyTpsl: 'notDrawn',
  longTakeProfitTooLow: 'always',
  shortTakeProfitTooHigh: 'always',
  longStopLossTooHigh: 'always',
  shortStopLossTooLow: 'always',
  longTakeProfitBelowMark: 'always',
  shortTakeProfitAboveMark: 'always',
  longStopLossAboveMark: 'always',
  shortStopLossBelowMark: 'always',
  takeProfitExists: 'always',
  stopLossExists: 'always',
  unknownTrigger: 'always',
  unknownTpsl: 'always',
  unknownReferralCode: 'rarely',
  orderNotModifiable: 'always',
  orderUnchanged: 'always',
  priceAndSizeNeeded: 'atBorder',
  requestTooLate: 'atBorder',
};
const refusalsMet = (how: 'always' | 'rarely'): readonly string[] =>
  REJECTIONS.filter((reason) => REFUSALS[reason] === how).map((reason) => `refused ${reason}`);

const EVENTS = [
  'orderActivated',
  'orderReleveraged',
  'orderModified',
  'liquidationBegun',
  'isolatedLiquidationBegun',
  'fundingSettled',
  'settlementDayEnded',
  'followingChanged',
  'followingEnded',
  'trackedOrderOpened',
  'trackedOrderEnded',
  'orderNotCopied',
  'customerReferred',
  'feeCreditGranted',
  'commissionPaid',
  'levelChanged',
  'feesSet',
  'withdrawalRequested',
  'withdrawalEnded',
  'triggerFailed',
] as const;

/** Fields that change while an instrument is traded. */
const RELISTED_INSTRUMENTS = [
  'sizeMin',
  'sizeMax',
  'marketSizeMax',
  'priceBandRate',
  'leverageMax',
  'tiers',
  'fundingHours',
  'fundingRateMax',
  'followSizeMin',
  'followSizeMax',
] as const satisfies readonly (keyof Instrument)[];
const RELISTED_COINS = [
  'collateralRate',
  'leverage',
  'leverageMax',
  'hourlyInterestRate',
  'automaticLimitUsd',
  'singleLimitUsd',
  'secondApprovalUsd',
  'houseDailyLimitUsd',
  'dailyLimitsUsd',
  'chains',
] as const satisfies readonly (keyof Coin)[];

const EVERYTHING: readonly string[] = [
  ...simulated(CANCEL_REASONS).map((reason) => `cancelled ${reason}`),
  ...CATEGORIES.map((category) => `filled ${category} normal`),
  ...FUTURES_CATEGORIES.flatMap((category) =>
    simulated(EXECUTION_KINDS)
      .filter((kind) => kind !== 'normal')
      .map((kind) => `filled ${category} ${kind}`),
  ),
  ...ENTRY_REASONS.map((reason) => `posted ${reason}`),
  ...MOODS.map((mood) => `prices ${mood}`),
  ...refusalsMet('always'),
  ...TRIGGER_KINDS.map((kind) => `fired ${kind}`),
  // The crowd places no spot triggers, and only those end with their listing.
  ...TRIGGER_CANCEL_REASONS.filter((reason) => reason !== 'delisted').map(
    (reason) => `trigger cancelled ${reason}`,
  ),
  ...EVENTS,
  ...RELISTED_INSTRUMENTS.map((field) => `relisted instrument ${field}`),
  ...RELISTED_COINS.map((field) => `relisted coin ${field}`),
  ...WAITING_WORK.map((what) => `${what} waiting`),
  'deep books',
];

const RARE_COVERAGE: readonly string[] = [
  'cancelled autoDeleverage',
  'isolatedLiquidationBegun',
  'posted removeMargin',
  ...refusalsMet('rarely'),
];

export const EXPECTED_COVERAGE: readonly string[] = EVERYTHING.filter(
  (what) => !RARE_COVERAGE.includes(what),
);

const EXPECTED_FAULTS: readonly string[] = [
  'fault powerLoss',
  'fault EIO',
  'fault ENOSPC',
  'fault short',
  'fault clock jump',
  'runs ended by crash',
  'runs ended by kill',
  'runs ended by stop',
  'torn ends cut',
  'states compared',
];

/** Expected cases that the run did not meet. */
export function missedBy(coverage: Coverage, seeds: number, faults: boolean): readonly string[] {
  return coverage.missing(expectedOf(coverage.of('commands'), seeds, faults));
}

function expectedOf(commands: number, seeds: number, faults: boolean): readonly string[] {
  if (commands < COMMANDS_FOR_COVERAGE || seeds < SEEDS_FOR_COVERAGE) return [];
  const rare = commands < COMMANDS_FOR_RARE_COVERAGE ? [] : RARE_COVERAGE;
  return [...EXPECTED_COVERAGE, ...rare, ...(faults ? EXPECTED_FAULTS : [])];
}
