/** The operator API for copy trading: leaders, and orders that were not copied. */
import { FOLLOWERS_PER_LEADER_MAX } from '../messages/bounds.ts';
import { careful, endpoint, exact, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { listOf, nothing, object, text, textOrNull } from './shapes.ts';
import { futuresCategoryWords, positionSideWords, wordOf } from './wire-words.ts';

/** Symbols in one call: more than a large exchange has futures. */
const SYMBOLS_MAX = 500;

const group = 'Operator: copy trading';

export const operatorCopyRows = {
  makeLeader: endpoint({
    method: 'POST',
    path: '/operator/v1/traders',
    group,
    summary: 'Make a user an elite trader, or change the terms of an elite trader',
    access: 'operator',
    request: careful(
      request({
        uid: field.describe('User ID', identifier.uid()),
        profitShare: field.describe(
          'Share of the profit of copies after fees that the leader earns; 0.1 means 10 %',
          number.decimal(),
        ),
        symbols: field.describe(
          'Futures symbols that can be copied; all when left out',
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
          'Smallest `id` of the previous page, for older rows',
          field.optional(identifier.pageCursor()),
        ),
      }),
    ),
    response: listOf(
      object({
        id: text('Row ID'),
        time: text('Time (ms)'),
        uid: textOrNull('Follower; null if no follower could copy it'),
        leader: text('Leader'),
        orderId: text('Order of the leader'),
        category: wordOf(futuresCategoryWords, 'Category'),
        symbol: text('Symbol'),
        side: wordOf(positionSideWords, 'Position side'),
        size: text(
          'Size that was not copied; 0 if the leader has closed it or its leverage is no longer allowed',
        ),
        reason: text('Reason, as one word'),
      }),
    ),
    rules: ['API-26', 'CPY-22', 'CPY-50', 'CPY-179', 'API-152'],
  }),
} as const;
