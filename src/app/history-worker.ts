/** The history worker as an exchange runs it: trading goes before it. */
import '../views/history/history-worker.ts';
import { lowerPriority } from './give-way.ts';

lowerPriority('third');
