/**
 * The operator API for faults: setting them on public calls, and the verdicts on the calls that
 * they struck.
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
    summary: 'Set a fault, which strikes the next calls that match it',
    access: 'operator',
    request: exact(
      request({
        name: field.describe(
          'Name of a fault of `docs/faults.md`, which needs no `effect`; any other name with an `effect`',
          field.optional(faultName),
        ),
        match: field.describe(
          'Calls that the fault strikes; all given conditions must hold',
          field.optional(field.objectOf(matchFields)),
        ),
        effect: field.describe(
          'Effect of the fault; that of the named fault when left out',
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
    summary: 'List the faults that are set, and how often each has struck',
    access: 'operator',
    request: request({}),
    response: listOf(
      object({
        id: text('Fault ID'),
        name: textOrNull('Name'),
        match: described('Calls that the fault strikes', matchShape),
        effect: described('Effect of the fault', effectShape),
        hits: wholeNumber('Number of calls that the fault has struck'),
      }),
    ),
    rules: [...rules, 'FLT-04'],
  }),

  clearFaults: endpoint({
    method: 'DELETE',
    path: '/operator/v1/faults',
    group,
    summary: 'Clear all faults; their verdicts stay',
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
    summary: 'List what happened to every intent that a fault has struck, oldest first',
    access: 'operator',
    request: exact(
      request({ uid: field.describe('Only of this user', field.optional(identifier.uid())) }),
    ),
    response: listOf(
      object({
        endpoint: text('Path that was called'),
        clientOid: text('Client order ID of the first attempt; empty if it had none'),
        at: text('Time of the first attempt (ms)'),
        faults: described('Faults that struck the intent', listOf(text('Fault ID'))),
        attempts: wholeNumber('Number of attempts'),
        orders: described('Orders that the attempts placed', listOf(text('Order ID'))),
        verdict: word(
          VERDICTS,
          'How often the intent happened; `cancelledUnseen` if its one order was cancelled before the client saw it',
        ),
      }),
    ),
    rules: [...rules, 'FLT-20', 'FLT-21', 'FLT-22', 'FLT-23', 'FLT-24', 'FLT-154', 'API-152'],
  }),
} as const;
