/** Where the worker threads' code is: in the bundle, also when the main thread runs from the sources, since workers cannot. */
const fromSource = import.meta.url.endsWith('.ts');

export interface WorkerCode {
  readonly workerUrl: URL;
  readonly execArgv: readonly string[];
}

const codeOf = (name: string): WorkerCode => ({
  workerUrl: new URL(`${fromSource ? '../../dist' : '..'}/${name}.js`, import.meta.url),
  execArgv: [],
});

export const historyWorker = codeOf('views/history/history-worker');
export const snapshotWorker = codeOf('app/snapshot-worker');
