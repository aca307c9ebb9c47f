/** Pins processes to cores: servers to the first, load clients to the second. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

export const SERVER_CORE = 0;
export const CLIENT_CORE = 1;

const canPin =
  availableParallelism() > CLIENT_CORE && spawnSync('taskset', ['-c', '0', 'true']).status === 0;

/** Command prefix that pins to a core; empty on systems that cannot pin. */
export const onCore = (core: number): readonly string[] =>
  canPin ? ['taskset', '-c', String(core)] : [];

export const placement = canPin
  ? 'server and client on a core each'
  : 'server and client share the cores';

const running = new Set<Child>();
process.once('exit', () => {
  for (const child of running) child.end();
});

/** A child process that runs one of our source files and exchanges messages with it. */
export class Child {
  readonly #process: ChildProcess;

  constructor(file: URL, core: number) {
    const line = [...onCore(core), process.execPath, '--import', 'tsx', file.pathname];
    this.#process = spawn(line[0]!, line.slice(1), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    running.add(this);
  }

  get pid(): number {
    return this.#process.pid!;
  }

  ask<Answer>(task: object): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const gone = (code: number | null): void =>
        reject(new Error(`a child ended with code ${code} before it answered`));
      this.#process.once('exit', gone);
      this.#process.once('message', (answer) => {
        this.#process.off('exit', gone);
        resolve(answer as Answer);
      });
      this.#process.send(task);
    });
  }

  end(): void {
    running.delete(this);
    this.#process.kill('SIGKILL');
  }
}
