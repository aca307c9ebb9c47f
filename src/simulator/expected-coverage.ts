/** What a simulation of some size must have met at least once. Whatever the exchange learns to do is added here, or it is not simulated. */
import {
  CANCEL_REASONS,
  CATEGORIES,
  ENTRY_REASONS,
  EXECUTION_KINDS,
  FUTURES_CATEGORIES,
  TRIGGER_CANCEL_REASONS,
  TRIGGER_KINDS,
} from '../messages/vocabulary.ts';
import { MOODS } from './population/price-paths.ts';

/** Fewer commands than this may miss something by chance; of what is rare, fewer than that. */
export const COMMANDS_FOR_COVERAGE = 200_000;
export const COMMANDS_FOR_RARE_COVERAGE = 1_000_000;

export const RARE_COVERAGE: readonly string[] = [
  'cancelled autoDeleverage',
  'refused tooManyOpenOrders',
  'isolatedLiquidationBegun',
  'posted removeMargin',
];

/** Orders of delivery are not made by anything yet, and a sweep of too many makers takes more orders than a crowd of this size has. */
const NOT_SIMULATED: ReadonlySet<string> = new Set(['delivery', 'tooManyTrades']);
const simulated = (words: readonly string[]): readonly string[] => words.filter((word) => !NOT_SIMULATED.has(word));

const REFUSALS = [
  'unknownUser',
  'unknownCoin',
  'unknownSymbol',
  'unknownKey',
  'duplicateClientOid',
  'duplicateContact',
  'tooFine',
  'sizeNotPositive',
  'balanceLimitExceeded',
  'priceJumpTooLarge',
  'clockNotForward',
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
  'leverageOutOfRange',
  'marginModeInUse',
  'positionModeInUse',
] as const;

const EVENTS = [
  'orderActivated',
  'orderReleveraged',
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
  'withdrawalRequested',
  'withdrawalEnded',
  'triggerFailed',
] as const;

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
  ...REFUSALS.map((reason) => `refused ${reason}`),
  ...TRIGGER_KINDS.map((kind) => `fired ${kind}`),
  ...TRIGGER_CANCEL_REASONS.map((reason) => `trigger cancelled ${reason}`),
  ...EVENTS,
  'deep books',
];

export const EXPECTED_COVERAGE: readonly string[] = EVERYTHING.filter((what) => !RARE_COVERAGE.includes(what));

export const EXPECTED_FAULTS: readonly string[] = [
  'fault powerLoss',
  'fault EIO',
  'fault ENOSPC',
  'fault short',
  'fault clock jump',
  'lives ended by crash',
  'lives ended by kill',
  'lives ended by stop',
  'torn ends cut',
  'states compared',
];
