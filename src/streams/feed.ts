/** Feeds the streams: each durable batch at once, and public channels on a common tick. */
import type { EventBatch } from '../messages/events.ts';
import type { StreamTable } from './stream.ts';

/** Takes each durable batch once, in order, after the views have it. */
export interface StreamFeed {
  batch(batch: EventBatch): void;
}

/** Changes within it are joined. */
const TICK_MS = 100;

export interface FeedParts {
  readonly table: StreamTable;
  readonly onKeyRevoked: (apiKey: string) => void;
  /** A stream could not make a push. */
  readonly onStreamFailure: (error: unknown) => void;
  /** Pushes of a batch are lost; any connection may miss one. */
  readonly onBatchFailure: (error: unknown) => void;
}

export class Feed implements StreamFeed {
  readonly #parts: FeedParts;
  #tick: NodeJS.Timeout | undefined;

  constructor(parts: FeedParts) {
    this.#parts = parts;
  }

  start(): void {
    const { table, onStreamFailure } = this.#parts;
    this.#tick = setInterval(() => table.tick(onStreamFailure), TICK_MS);
    this.#tick.unref();
  }

  stop(): void {
    clearInterval(this.#tick);
  }

  /** A failure here must not stop the exchange, which has executed the batch. */
  readonly batch = (batch: EventBatch): void => {
    const { table, onKeyRevoked, onBatchFailure } = this.#parts;
    try {
      for (const event of batch.events) if (event.type === 'keyRevoked') onKeyRevoked(event.apiKey);
      table.batch(batch);
    } catch (error) {
      onBatchFailure(error);
    }
  };
}
