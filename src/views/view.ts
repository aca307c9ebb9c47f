/** A view answers queries. It receives every durable event that concerns it once, in order. */
import type { Timestamp } from '../kernel/time.ts';
import type { Event, EventBatch, EventOf, EventType } from '../messages/events.ts';
import type { ShownBy, ViewName } from './shown-by.ts';

/** A view's handlers, one for each event that it shows. */
export type Listeners<Name extends ViewName> = {
  readonly [Type in ShownBy<Name>]: (event: EventOf<Type>, at: Timestamp) => void;
};

export interface View<Name extends ViewName> {
  /** Names its part of a snapshot; never changes. */
  readonly name: Name;
  readonly on: Listeners<Name>;
  /** Called with every batch, before its events. */
  begin?(batch: EventBatch): void;
  /** Plain values (see `kernel/canonical.ts`) from which `restore` makes an equal view. */
  save(): unknown;
  restore(saved: unknown): void;
}

/** A batch by the times of its events; most batches have one. */
export function partsOf(batch: EventBatch): readonly EventBatch[] {
  const { sequence, events, moments } = batch;
  return moments === undefined
    ? [batch]
    : moments.map(({ from, at }, place) => ({
        sequence,
        at,
        events: events.slice(from, moments[place + 1]?.from),
      }));
}

/** A view of which only the common part is known. */
export interface AnyView extends Omit<View<ViewName>, 'on'> {
  readonly on: {
    readonly [Type in EventType]?: (event: EventOf<Type>, at: Timestamp) => void;
  };
}

type Listener = (event: Event, at: Timestamp) => void;

/** The handlers of each event type are collected once, so an event is not offered to every view. */
export function feeding(
  views: readonly Pick<AnyView, 'on' | 'begin'>[],
): (batch: EventBatch) => void {
  const listeners = new Map<EventType, Listener[]>();
  for (const { on } of views) {
    for (const [type, listener] of Object.entries(on) as [EventType, Listener][]) {
      const known = listeners.get(type);
      if (known === undefined) listeners.set(type, [listener]);
      else known.push(listener);
    }
  }
  const beginning = views.filter((view) => view.begin !== undefined);
  return (batch) => {
    for (const view of beginning) view.begin?.(batch);
    const { at } = batch;
    for (const event of batch.events) {
      const concerned = listeners.get(event.type);
      if (concerned !== undefined) for (const listen of concerned) listen(event, at);
    }
  };
}
