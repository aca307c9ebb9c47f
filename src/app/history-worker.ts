/** The history worker of an exchange, with a lower priority than trading. */
import '../views/history/history-worker.ts';
import { lowerPriority } from './lower-priority.ts';

lowerPriority('third');
