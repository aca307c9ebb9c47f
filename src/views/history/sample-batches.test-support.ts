/**
 * Fixed batches for history tests: deposits of several users in several coins, and some empty
 * batches.
 */

import type { Amount } from '../../kernel/money.ts';
import { seededRandom } from '../../kernel/random.ts';
import type { EventBatch } from '../../messages/events.ts';
import { COINS, EventStream } from '../event-streams.test-support.ts';

export function sampleBatches(count: number): readonly EventBatch[] {
  const random = seededRandom(7);
  const stream = new EventStream();
  stream.next(...['ann', 'ben', 'cat'].map((name) => stream.createUser(name)));
  while (stream.batches.length < count) {
    const deposits = Array.from({ length: random.below(4) }, () => {
      const amount = (BigInt(random.next()) * BigInt(random.next()) + 1n) as Amount;
      return stream.deposit(random.pick(stream.users), random.pick(COINS), amount);
    });
    stream.next(...deposits.flat());
  }
  return stream.batches;
}
