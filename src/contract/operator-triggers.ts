/**
 * The operator plane: triggers that have ended, and why one that fired could not place its order.
 */
import { endpoint, exact, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { listOf, object, text, textOrNull } from './shapes.ts';
import {
  anyTriggerKindWords,
  triggerCategoryWords,
  triggerEndWords,
  wordOf,
} from './wire-words.ts';

export const operatorTriggerRows = {
  listEndedTriggers: endpoint({
    method: 'GET',
    path: '/operator/v1/triggers',
    group: 'Operator',
    summary: 'Trigger orders that have ended, newest first: how, and why an order was refused',
    access: 'operator',
    request: exact(
      request({
        uid: field.describe("User ID; everybody's when left out", field.optional(identifier.uid())),
        status: field.describe(
          'How it ended; all when left out',
          field.optional(field.words(triggerEndWords)),
        ),
        limit: number.pageSize(100, 1_000),
        idLessThan: field.describe(
          'Smallest `orderId` of the page before; older ones',
          field.optional(identifier.pageCursor()),
        ),
      }),
    ),
    response: listOf(
      object({
        orderId: text('Trigger order ID'),
        clientOid: text('Client order ID'),
        uid: text('User ID'),
        category: wordOf(triggerCategoryWords, 'Category'),
        symbol: text('Symbol'),
        planType: wordOf(anyTriggerKindWords, 'Kind'),
        triggerPrice: text('Trigger price'),
        planStatus: wordOf(triggerEndWords, 'How it ended'),
        executeOrderId: textOrNull('Order made when it fired'),
        reason: textOrNull('Why its order was refused, or why it was cancelled'),
        code: textOrNull('Error code of the refusal'),
        msg: textOrNull('Error message of the refusal'),
        time: text('When it was placed (ms)'),
        endTime: text('When it ended (ms)'),
      }),
    ),
    rules: ['API-26', 'TRG-46', 'TRG-74', 'API-152'],
  }),
} as const;
