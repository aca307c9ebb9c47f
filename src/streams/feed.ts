/** Feeds the streams: each durable batch at once, and public channels on a common tick. */
import type { EventBatch } from '../messages/events.ts';
import type { StreamTable } from './stream.ts';

/** Takes each durable batch once, in order, after the views have it. */
export interface StreamFeed {
  batch(batch: EventBatch): void;
}

/** Changes within it are joined. */
const TICK_MS = 100;

export class Feed implements StreamFeed {
  readonly #table: StreamTable;
  readonly #onKeyRevoked: (apiKey: string) => void;
  readonly #onFailure: (error: unknown) => void;
  #tick: NodeJS.Timeout | undefined;

  constructor(
    table: StreamTable,
    onKeyRevoked: (apiKey: string) => void,
    onFailure: (error: unknown) => void,
  ) {
    this.#table = table;
    this.#onKeyRevoked = onKeyRevoked;
    this.#onFailure = onFailure;
  }

  start(): void {
    this.#tick = setInterval(() => {
      try {
        this.#table.tick();
      } catch (error) {
        this.#onFailure(error);
      }
    }, TICK_MS);
    this.#tick.unref();
  }

  stop(): void {
    clearInterval(this.#tick);
  }

  readonly batch = (batch: EventBatch): void => {
    for (const event of batch.events)
      if (event.type === 'keyRevoked') this.#onKeyRevoked(event.apiKey);
    this.#table.batch(batch);
  };
}
