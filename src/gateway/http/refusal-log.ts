/** Logs refused calls, at most ten lines a second, so that a client's errors can be diagnosed. */
import type { Uid } from '../../kernel/ids.ts';
import type { Clock } from '../../kernel/time.ts';
import { ANONYMOUS } from '../caller.ts';
import { REFUSED, SlidingWindow } from '../limits/sliding-window.ts';
import type { Log } from '../log.ts';

/** Limit of lines per second for both listeners. */
const LINES_PER_SECOND_MAX = 10;
/** Length to which an unknown path is cut. */
const PATH_LENGTH_MAX = 200;
/** The single key of the window: there is one log. */
const LOG = 'log';

export interface RefusedCall {
  readonly method: string;
  /** Without the query, which may contain private data. */
  readonly path: string;
  readonly code: string;
  readonly reason: string;
  readonly address: string;
  /** `ANONYMOUS` if the call was refused before authentication. */
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

  /** `describe` runs only if the line is written, so that many refusals stay cheap. */
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
