/**
 * Where the worker threads' code is: in the bundle, also when the main thread runs from the
 * sources, since workers cannot.
 */
const fromSource = import.meta.url.endsWith('.ts');

const codeOf = (name: string): URL =>
  new URL(`${fromSource ? '../../dist' : '..'}/${name}.js`, import.meta.url);

export const historyWorkerUrl = codeOf('app/history-worker');
export const snapshotWorkerUrl = codeOf('app/snapshot-worker');
export const recordingWorkerUrl = codeOf('app/recordings/recording-worker');
