/** The operator plane, copy trading: who leads, and what was not copied. */
import { FOLLOWERS_PER_LEADER_MAX } from '../messages/bounds.ts';
import { careful, endpoint, exact, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { listOf, nothing, object, text, textOrNull } from './shapes.ts';
import { futuresCategoryWords, positionSideWords, wordOf } from './wire-words.ts';

/** Symbols one call names: more than there are futures on a large exchange. */
const SYMBOLS_MAX = 500;

const group = 'Operator: copy trading';

export const operatorCopyRows = {
  makeLeader: endpoint({
    method: 'POST',
    path: '/operator/v1/traders',
    group,
    summary: 'Make a user an elite trader, or change the terms of one',
    access: 'operator',
    request: careful(
      request({
        uid: field.describe('User ID', identifier.uid()),
        profitShare: field.describe(
          "The leader's part of what copies earn after fees: 0.1 is 10 %",
          number.decimal(),
        ),
        symbols: field.describe(
          'Futures that can be copied; all when left out',
          field.optional(field.listOf(identifier.symbol(), SYMBOLS_MAX, 1)),
        ),
        maxFollowers: field.describe(
          'Largest number of followers',
          field.optional(number.countUpTo(FOLLOWERS_PER_LEADER_MAX)),
        ),
      }),
    ),
    response: nothing,
    rules: ['API-26', 'CPY-01', 'CPY-04', 'API-153'],
  }),

  listUncopied: endpoint({
    method: 'GET',
    path: '/operator/v1/uncopied-orders',
    group,
    summary: 'Orders of leaders that were not copied, newest first, with the reasons',
    access: 'operator',
    request: exact(
      request({
        uid: field.describe('Follower', field.optional(identifier.uid())),
        leader: field.describe('Leader', field.optional(identifier.uid())),
        limit: number.pageSize(100, 1_000),
        idLessThan: field.describe(
          'Smallest `id` of the page before; older rows',
          field.optional(identifier.pageCursor()),
        ),
      }),
    ),
    response: listOf(
      object({
        id: text('Row ID'),
        time: text('Time (ms)'),
        uid: textOrNull('Follower; null when nobody could copy it'),
        leader: text('Leader'),
        orderId: text("The leader's order"),
        category: wordOf(futuresCategoryWords, 'Category'),
        symbol: text('Symbol'),
        side: wordOf(positionSideWords, 'Position side'),
        size: text(
          'What was missed; 0 when the leader had closed by then, or the leverage may no longer be',
        ),
        reason: text('Why, in one word'),
      }),
    ),
    rules: ['API-26', 'CPY-22', 'CPY-50', 'CPY-179', 'API-152'],
  }),
} as const;
