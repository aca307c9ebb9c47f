/** The views' part of a snapshot: their plain values as canonical bytes. */
import type { Executed } from '../journal/machine.ts';
import type { ViewsSection } from '../journal/snapshots.ts';
import { OtherVersion } from '../kernel/bytes.ts';
import { canonicalBytes, fromCanonicalBytes } from '../kernel/canonical.ts';
import { createMemoryHistory } from '../views/history/memory-history.ts';
import { createViews, type Views } from '../views/views.ts';

export const viewsSection = (views: Views): ViewsSection => ({
  save: () => canonicalBytes(views.save()),
  read: (bytes) => {
    const saved = fromCanonicalBytes(bytes);
    const refusal = views.refusal(saved);
    if (refusal !== undefined) throw new OtherVersion(refusal);
    return () => views.restore(saved);
  },
});

/** Views without history: a snapshot holds only rows that can still change. */
export function viewsForSnapshot(): {
  readonly section: ViewsSection;
  readonly feed: (batch: readonly Executed[]) => void;
} {
  const views = createViews({ ...createMemoryHistory(), apply: () => undefined });
  return {
    section: viewsSection(views),
    feed: (batch) => {
      for (const executed of batch) views.apply(executed);
    },
  };
}
