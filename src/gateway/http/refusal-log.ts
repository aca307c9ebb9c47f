/**
 * Writes each refused call to the log, at most ten lines a second: a client sees there why it
 * fails.
 */
import type { Uid } from '../../kernel/ids.ts';
import type { Clock } from '../../kernel/time.ts';
import { ANONYMOUS } from '../caller.ts';
import { REFUSED, SlidingWindow } from '../limits/sliding-window.ts';
import type { Log } from '../log.ts';

/** Lines in any second, of both planes together. */
const LINES_PER_SECOND_MAX = 10;
/** Of a path that no endpoint has, so much is written. */
const PATH_LENGTH_MAX = 200;
/** There is one log, so there is one caller of its window. */
const LOG = 'log';

export interface RefusedCall {
  readonly method: string;
  /** Without the query, which may hold what belongs to the user. */
  readonly path: string;
  readonly code: string;
  readonly reason: string;
  readonly address: string;
  /** `ANONYMOUS` where the call was refused before its user was known. */
  readonly uid: Uid;
}

export class RefusalLog {
  readonly #log: Log;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #window = new SlidingWindow(LINES_PER_SECOND_MAX);
  #unlogged = 0;

  constructor(log: Log, clock: Pick<Clock, 'monotonic'>) {
    this.#log = log;
    this.#clock = clock;
  }

  /** A call is described only if its line is written: refusing many must cost little. */
  note(describe: () => RefusedCall): void {
    if (!this.#log.isLevelEnabled('warn')) return;
    if (this.#window.take(LOG, this.#clock.monotonic()) === REFUSED) {
      this.#unlogged++;
      return;
    }
    const { path, uid, ...call } = describe();
    const user = uid === ANONYMOUS ? {} : { uid: String(uid) };
    const unlogged = this.#unlogged === 0 ? {} : { unlogged: this.#unlogged };
    this.#unlogged = 0;
    const fields = { ...call, path: path.slice(0, PATH_LENGTH_MAX), ...user, ...unlogged };
    this.#log.warn(fields, 'a call was refused');
  }
}
