/** Tells events that an accepted desk command causes from events of the end of a day. */
import type { Event } from '../../src/messages/events.ts';

/** What the desk does by itself; all else it is told. */
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

/** What an accepted command brings itself; all before it came of time. */
export const isOwn = (event: Event): boolean =>
  OWN_EVENTS.includes(event.type) ||
  (event.type === 'entryPosted' && OWN_REASONS.slice(0, 5).includes(event.reason));

/** What goes on after a command with a day that has ended. */
export const isLeftOfDay = (event: Event): boolean =>
  event.type === 'commissionPaid' ||
  event.type === 'levelChanged' ||
  (event.type === 'entryPosted' && OWN_REASONS.slice(5).includes(event.reason));
