/**
 * The URL of a worker thread's code. It is in the bundle even when the main thread runs from the
 * sources, because workers cannot run sources.
 */
const fromSource = import.meta.url.endsWith('.ts');

const codeOf = (name: string): URL =>
  new URL(`${fromSource ? '../../dist' : '..'}/${name}.js`, import.meta.url);

export const historyWorkerUrl = codeOf('app/history-worker');
export const snapshotWorkerUrl = codeOf('app/snapshot-worker');
export const recordingWorkerUrl = codeOf('app/recordings/recording-worker');
