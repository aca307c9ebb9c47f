/**
 * The operator plane, rehearsal side: faults that strike public calls, and what really became of
 * the calls they struck.
 */
import { endpoint, exact, request } from './endpoint.ts';
import { effectField, effectShape, faultName, matchFields, matchShape } from './fault-fields.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import {
  described,
  listOf,
  nothing,
  object,
  text,
  textOrNull,
  wholeNumber,
  word,
} from './shapes.ts';

const group = 'Operator: faults';
const rules = ['API-26'] as const;

const VERDICTS = ['once', 'twice', 'never', 'cancelledUnseen'] as const;

export const operatorFaultRows = {
  setFault: endpoint({
    method: 'POST',
    path: '/operator/v1/faults',
    group,
    summary: 'Set a fault: the next calls that match it go wrong in the way it says',
    access: 'operator',
    request: exact(
      request({
        name: field.describe(
          'A fault of `docs/faults.md`, which then needs no effect; any name otherwise',
          field.optional(faultName),
        ),
        match: field.describe(
          'Which calls it strikes; all of what is said must be true',
          field.optional(field.objectOf(matchFields)),
        ),
        effect: field.describe(
          "What it does; the named fault's when left out",
          field.optional(effectField),
        ),
      }),
    ),
    response: object({ id: text('Fault ID') }),
    rules: [...rules, 'FLT-01', 'FLT-02', 'FLT-03', 'FLT-07', 'FLT-150', 'FLT-151', 'API-58'],
  }),

  listFaults: endpoint({
    method: 'GET',
    path: '/operator/v1/faults',
    group,
    summary: 'Faults that are set, with how often each has struck',
    access: 'operator',
    request: request({}),
    response: listOf(
      object({
        id: text('Fault ID'),
        name: textOrNull('Name'),
        match: described('Which calls it strikes', matchShape),
        effect: described('What it does', effectShape),
        hits: wholeNumber('Calls it has struck'),
      }),
    ),
    rules: [...rules, 'FLT-04'],
  }),

  clearFaults: endpoint({
    method: 'DELETE',
    path: '/operator/v1/faults',
    group,
    summary: 'Clear every fault; verdicts stay',
    access: 'operator',
    request: request({}),
    response: nothing,
    rules: [...rules, 'FLT-04'],
  }),

  clearFault: endpoint({
    method: 'DELETE',
    path: '/operator/v1/faults/:id',
    group,
    summary: 'Clear one fault; its verdicts stay',
    access: 'operator',
    request: request({ id: field.describe('Fault ID', field.text(20)) }),
    response: nothing,
    rules: [...rules, 'FLT-04'],
  }),

  listVerdicts: endpoint({
    method: 'GET',
    path: '/operator/v1/verdicts',
    group,
    summary: 'What really became of every intent that a fault has struck, in the order they came',
    access: 'operator',
    request: exact(
      request({ uid: field.describe('Only of this user', field.optional(identifier.uid())) }),
    ),
    response: listOf(
      object({
        endpoint: text('Path that was called'),
        clientOid: text('Client order ID of the first attempt; empty when there was none'),
        at: text('Time of the first attempt (ms)'),
        faults: described('Faults that struck it', listOf(text('Fault ID'))),
        attempts: wholeNumber('How often it was sent'),
        orders: described('Orders it became', listOf(text('Order ID'))),
        verdict: word(
          VERDICTS,
          'How often it happened; `cancelledUnseen` when it was placed once and cancelled before the client saw it',
        ),
      }),
    ),
    rules: [...rules, 'FLT-20', 'FLT-21', 'FLT-22', 'FLT-23', 'FLT-24', 'FLT-154', 'API-152'],
  }),
} as const;
