/** Where the worker threads' code is: beside the bundle when built, in the sources when run from them. */
const fromSource = import.meta.url.endsWith('.ts');

export interface WorkerCode {
  readonly workerUrl: URL;
  readonly execArgv: readonly string[];
}

const codeOf = (name: string): WorkerCode => ({
  workerUrl: new URL(`../${name}.${fromSource ? 'ts' : 'js'}`, import.meta.url),
  execArgv: fromSource ? ['--import', 'tsx'] : [],
});

export const historyWorker = codeOf('views/history/history-worker');
export const snapshotWorker = codeOf('app/snapshot-worker');
