/** A view: what queries are answered from. It is fed every event once, in order, after the event is durable. */
import type { EventBatch } from '../messages/events.ts';

export interface View {
  /** Names its part of a snapshot; never changes. */
  readonly name: string;
  apply(batch: EventBatch): void;
  /** Plain values (as in `kernel/canonical.ts`) from which `restore` makes an equal view. */
  save(): unknown;
  restore(saved: unknown): void;
}
