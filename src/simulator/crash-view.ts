/**
 * A minimal view for crash simulations: it receives every event once, and is compared after each
 * start.
 */
import type { Executed } from '../journal/machine.ts';
import type { ViewsSection } from '../journal/snapshots.ts';
import { canonicalBytes, fromCanonicalBytes } from '../kernel/canonical.ts';
import { addToDigest, type Digest, digestText, newDigest } from '../kernel/digest.ts';

/** Receives every event once, in order, and is saved with the machine. */
export interface CrashView extends ViewsSection {
  /** The last sequence it received. */
  readonly applied: number;
  apply(batch: readonly Executed[]): void;
  /** Equal for two views that received the same events. */
  digest(): string;
}

/** A running digest, which differs if an event is missing, repeated or out of order. */
export class RunningView implements CrashView {
  applied = 0;
  #digest: Digest = newDigest();

  apply(batch: readonly Executed[]): void {
    for (const { sequence, events } of batch) {
      this.applied = sequence;
      addToDigest(this.#digest, [sequence, events]);
    }
  }

  digest(): string {
    return digestText(this.#digest);
  }

  save(): Uint8Array {
    return canonicalBytes({ applied: this.applied, digest: this.#digest });
  }

  read(bytes: Uint8Array): () => void {
    const saved = fromCanonicalBytes<{ applied: number; digest: Digest }>(bytes);
    return () => {
      this.applied = saved.applied;
      this.#digest = saved.digest;
    };
  }
}
