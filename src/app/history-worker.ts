/** The history worker as an exchange runs it: trading goes before it. */
import '../views/history/history-worker.ts';
import { giveWay } from './give-way.ts';

giveWay('third');
