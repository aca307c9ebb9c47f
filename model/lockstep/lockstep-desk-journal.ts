/**
 * The engine as its journal restores it: from a snapshot, or from an older one and later commands.
 */

import type { WorkPortions } from '../../src/core/derived/work-portions.ts';
import { createEngine, type Engine, type Executed } from '../../src/core/engine.ts';
import { ByteReader, ByteWriter } from '../../src/kernel/bytes.ts';
import { canonicalBytes, fromCanonicalBytes } from '../../src/kernel/canonical.ts';
import type { Timestamp } from '../../src/kernel/time.ts';
import { readCommand, writeCommand } from '../../src/messages/command-codec.ts';
import type { Command } from '../../src/messages/commands.ts';
import { createMemoryHistory } from '../../src/views/history/memory-history.ts';
import { createViews } from '../../src/views/views.ts';
import { restored, same } from './lockstep-compare.ts';

interface Recorded {
  readonly bytes: Uint8Array;
  readonly at: Timestamp;
}

function bytesOf(command: Command): Uint8Array {
  const to = new ByteWriter();
  writeCommand(to, command);
  return Uint8Array.from(to.view());
}

export class DeskJournal {
  readonly history = createMemoryHistory();
  engine: Engine;
  views = createViews(this.history);
  readonly #portions: WorkPortions;
  #snapshot: Uint8Array;
  #since: Recorded[] = [];
  #restarts = 0;

  constructor(portions: WorkPortions) {
    this.#portions = portions;
    this.engine = createEngine({ portions });
    this.#snapshot = this.engine.serialize();
  }

  /** Executes the command as it is read back from its bytes. */
  execute(command: Command, at: Timestamp): Executed {
    const bytes = bytesOf(command);
    this.#since.push({ bytes, at });
    const executed = this.engine.execute(readCommand(new ByteReader(bytes)), at);
    this.views.apply(executed);
    return executed;
  }

  /** Continues with one of the two restored engines; the views come from their own bytes. */
  restart(): void {
    const { engine } = this;
    const replayed = createEngine({ portions: this.#portions });
    replayed.restore(this.#snapshot);
    for (const { bytes, at } of this.#since)
      replayed.execute(readCommand(new ByteReader(bytes)), at);
    same(
      'replayed',
      [replayed.digest(), replayed.stateHash()],
      [engine.digest(), engine.stateHash()],
    );
    this.engine =
      this.#restarts++ % 2 === 0 ? restored(engine, { portions: this.#portions }) : replayed;
    this.#snapshot = this.engine.serialize();
    this.#since = [];
    const saved = canonicalBytes(this.views.save());
    this.views = createViews(this.history);
    this.views.restore(fromCanonicalBytes(saved));
    same(
      'views',
      [canonicalBytes(this.views.save()).toString('base64')],
      [saved.toString('base64')],
    );
  }
}
