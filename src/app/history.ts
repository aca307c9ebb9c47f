/** Opens the history store; one that is damaged is started anew, since the journal can tell it everything again. */
import type { Log } from '../gateway/log.ts';
import { type HistoryStore, HistoryUnavailable } from '../views/history/history.ts';
import { openSqliteHistory } from '../views/history/sqlite-history.ts';
import { historyWorker } from './workers.ts';

export async function openHistory(path: string, log: Log): Promise<HistoryStore> {
  const file = { path, ...historyWorker };
  try {
    return await openSqliteHistory(file);
  } catch (error) {
    if (!(error instanceof HistoryUnavailable)) throw error;
    log.error({ err: error }, 'the history store is rebuilt from the journal');
    return await openSqliteHistory({ ...file, fresh: true });
  }
}
