/**
 * The thread that makes a recording from a file. Reading 20,000,000 rows must not block trading.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { type MadeRecording, makeRecording, type RecordingTask } from './make-recording.ts';
import { BadRecording } from './recorded.ts';

export type MadeOrRefused = MadeRecording | { readonly refused: string };

async function answer(): Promise<MadeOrRefused> {
  try {
    return await makeRecording(workerData as RecordingTask);
  } catch (error) {
    if (error instanceof BadRecording) return { refused: error.message };
    throw error;
  }
}

if (parentPort !== null) parentPort.postMessage(await answer());
