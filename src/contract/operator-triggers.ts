/** The operator API for ended triggers, with the reason if an order could not be placed. */
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
    summary: 'List ended trigger orders, newest first, with the reason if an order was refused',
    access: 'operator',
    request: exact(
      request({
        uid: field.describe('User ID; all users when left out', field.optional(identifier.uid())),
        status: field.describe(
          'Final status; all when left out',
          field.optional(field.words(triggerEndWords)),
        ),
        limit: number.pageSize(100, 1_000),
        idLessThan: field.describe(
          'Smallest `orderId` of the previous page, for older ones',
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
        planStatus: wordOf(triggerEndWords, 'Final status'),
        executeOrderId: textOrNull('Order that the trigger placed'),
        reason: textOrNull('Reason of the refusal or the cancellation'),
        code: textOrNull('Error code of the refusal'),
        msg: textOrNull('Error message of the refusal'),
        time: text('Creation time (ms)'),
        endTime: text('Time of the end (ms)'),
      }),
    ),
    rules: ['API-26', 'TRG-46', 'TRG-74', 'API-152'],
  }),
} as const;
