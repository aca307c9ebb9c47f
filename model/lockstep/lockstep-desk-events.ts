/** Separates events of an accepted desk command from events of the end of a day. */
import type { Event } from '../../src/messages/events.ts';

/** Ledger entries that the desk computes; it receives all others. */
export const OWN_REASONS = [
  'deposit',
  'withdrawalHold',
  'withdrawalSent',
  'withdrawalReturn',
  'internalTransfer',
  'rebate',
  'feeRefund',
];

const OWN_EVENTS = [
  'withdrawalRequested',
  'withdrawalMoved',
  'withdrawalEnded',
  'depositCredited',
  'operatorActed',
  'coinListed',
  'reserveSet',
  'indexPriceMoved',
];

/** First event of an accepted command; earlier events come from timers. */
export const isOwn = (event: Event): boolean =>
  OWN_EVENTS.includes(event.type) ||
  (event.type === 'entryPosted' && OWN_REASONS.slice(0, 5).includes(event.reason));

/** Events that continue an ended day after a command. */
export const isLeftOfDay = (event: Event): boolean =>
  event.type === 'commissionPaid' ||
  event.type === 'levelChanged' ||
  (event.type === 'entryPosted' && OWN_REASONS.slice(5).includes(event.reason));
