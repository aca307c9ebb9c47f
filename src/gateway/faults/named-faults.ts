/**
 * Named faults: the ways in which exchange answers go wrong, ready to use. `docs/faults.md` is
 * generated from this table.
 */
import type { FaultEffect, FaultMatch } from '../../contract/fault-fields.ts';
import { MINUTE, SECOND } from '../../kernel/time.ts';

export interface NamedFault {
  /** The effect that the client sees, in one sentence. */
  readonly about: string;
  readonly match?: FaultMatch;
  readonly effect: FaultEffect;
}

const reply = (
  code: '40010' | '40725' | '45001',
  order: 'placed' | 'notPlaced' | 'placedLater',
  delayMs?: number,
): FaultEffect => ({
  kind: 'reply',
  code,
  order,
  delayMs,
});

const LATER_MS = 2 * SECOND;

export const namedFaults = {
  'timeout-placed': { about: '40010, and the order exists.', effect: reply('40010', 'placed') },
  'timeout-not-placed': {
    about: '40010, and the order was not placed.',
    effect: reply('40010', 'notPlaced'),
  },
  'timeout-placed-later': {
    about: '40010; the order is placed two seconds later, so an immediate query does not find it.',
    effect: reply('40010', 'placedLater', LATER_MS),
  },
  'service-error-placed': {
    about: '40725, and the order exists.',
    effect: reply('40725', 'placed'),
  },
  'service-error-not-placed': {
    about: '40725, and the order was not placed.',
    effect: reply('40725', 'notPlaced'),
  },
  'service-error-placed-later': {
    about: '40725, and the order is placed two seconds later.',
    effect: reply('40725', 'placedLater', LATER_MS),
  },
  'unknown-error-placed': {
    about: '45001, and the order exists.',
    effect: reply('45001', 'placed'),
  },
  'unknown-error-not-placed': {
    about: '45001, and the order was not placed.',
    effect: reply('45001', 'notPlaced'),
  },
  'unknown-error-placed-later': {
    about: '45001, and the order is placed two seconds later.',
    effect: reply('45001', 'placedLater', LATER_MS),
  },
  'connection-lost-before-commit': {
    about: 'The connection ends without an answer, and the order was not placed.',
    effect: { kind: 'cut', when: 'beforeCommit' },
  },
  'connection-lost-after-commit': {
    about:
      'The connection ends without an answer, and the order exists. This fault costs clients most.',
    effect: { kind: 'cut', when: 'afterCommit' },
  },
  'second-order-lost': {
    about: 'The first order is answered; the connection ends after the second was placed.',
    match: { nth: 2 },
    effect: { kind: 'cut', when: 'afterCommit' },
  },
  'slow-request': {
    about: 'Every call waits three seconds before it runs, so prices may have moved.',
    effect: { kind: 'delay', ms: 3 * SECOND, when: 'before' },
  },
  'slow-answer': {
    about: 'The call runs at once; its answer takes three seconds.',
    effect: { kind: 'delay', ms: 3 * SECOND, when: 'after' },
  },
  'answer-after-timeout': {
    about:
      'The call runs at once; its answer comes after 30 seconds, when most clients have timed out.',
    effect: { kind: 'delay', ms: 30 * SECOND, when: 'after' },
  },
  'order-not-found-yet': {
    about: 'The order is placed and answered; for three seconds `order-info` and lists omit it.',
    effect: { kind: 'hide', ms: 3 * SECOND },
  },
  'order-not-found-for-a-minute': {
    about: 'The order is placed and answered; for a minute `order-info` and lists omit it.',
    effect: { kind: 'hide', ms: MINUTE },
  },
  'rate-limited': {
    about: 'HTTP 429, and the call did not run.',
    effect: { kind: 'status', status: 429, order: 'notPlaced' },
  },
  'rate-limited-for-a-while': {
    about: 'Five calls in a row are answered with HTTP 429.',
    match: { times: 5 },
    effect: { kind: 'status', status: 429, order: 'notPlaced' },
  },
  'internal-error': {
    about: 'HTTP 500, and the call did not run.',
    effect: { kind: 'status', status: 500, order: 'notPlaced' },
  },
  'internal-error-placed': {
    about: 'HTTP 500 for a call that ran.',
    effect: { kind: 'status', status: 500, order: 'placed' },
  },
  'bad-gateway': {
    about: 'HTTP 502, and the call did not run.',
    effect: { kind: 'status', status: 502, order: 'notPlaced' },
  },
  'bad-gateway-placed': {
    about: 'HTTP 502 from a proxy, for a call that ran.',
    effect: { kind: 'status', status: 502, order: 'placed' },
  },
  unavailable: {
    about: 'HTTP 503, and the call did not run.',
    effect: { kind: 'status', status: 503, order: 'notPlaced' },
  },
  'unavailable-for-a-while': {
    about: 'Ten calls in a row are answered with HTTP 503.',
    match: { times: 10 },
    effect: { kind: 'status', status: 503, order: 'notPlaced' },
  },
  'dripping-answer': {
    about: 'The answer arrives at twenty bytes a second.',
    effect: { kind: 'drip', bytesPerSecond: 20 },
  },
  'cancel-timeout-done': {
    about: 'A cancel gets 40010, and the order is cancelled.',
    match: { call: 'cancel' },
    effect: reply('40010', 'placed'),
  },
  'cancel-timeout-not-done': {
    about: 'A cancel gets 40010, and the order is still open.',
    match: { call: 'cancel' },
    effect: reply('40010', 'notPlaced'),
  },
  'order-info-unavailable': {
    about: 'Three queries for an order get HTTP 503.',
    match: { call: 'ask', times: 3 },
    effect: { kind: 'status', status: 503, order: 'notPlaced' },
  },
  'one-answer-in-ten-lost': {
    about: 'One order in ten is placed and its answer is lost, at random; a seed repeats the draw.',
    match: { probability: 0.1, seed: 1, times: 1_000_000 },
    effect: { kind: 'cut', when: 'afterCommit' },
  },
} as const satisfies Readonly<Record<string, NamedFault>>;

export type FaultName = keyof typeof namedFaults;

export const findNamedFault = (name: string): NamedFault | undefined =>
  Object.hasOwn(namedFaults, name) ? namedFaults[name as FaultName] : undefined;
