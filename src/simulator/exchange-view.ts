/** The real views without their history store, for a simulated run. */
import type { Executed } from '../journal/machine.ts';
import { canonicalBytes, fromCanonicalBytes } from '../kernel/canonical.ts';
import { sha256Hex } from '../kernel/hash.ts';
import { createMemoryHistory } from '../views/history/memory-history.ts';
import { createViews, type Views } from '../views/views.ts';
import type { CrashView } from './crash-view.ts';

export class ExchangeView implements CrashView {
  applied = 0;
  readonly #views: Views = createViews({ ...createMemoryHistory(), apply: () => undefined });

  apply(batch: readonly Executed[]): void {
    for (const executed of batch) {
      this.#views.apply(executed);
      this.applied = executed.sequence;
    }
  }

  digest(): string {
    return sha256Hex(this.save());
  }

  save(): Buffer {
    return canonicalBytes({ applied: this.applied, views: this.#views.save() });
  }

  read(bytes: Uint8Array): () => void {
    const saved = fromCanonicalBytes<{ readonly applied: number; readonly views: unknown }>(bytes);
    return () => {
      this.applied = saved.applied;
      this.#views.restore(saved.views);
    };
  }
}
