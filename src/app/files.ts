/** Names of files in a data folder that several parts use. */

import { join } from 'node:path';

/** Written when the exchange is ready, so that the command line finds its ports. */
export const ADDRESS_FILE = 'address.json';
export const CREDENTIALS_FILE = 'credentials.json';
export const MASTER_KEY_FILE = 'master.key';
export const JOURNAL_FOLDER = 'journal';
export const journalFolder = (data: string): string => join(data, JOURNAL_FOLDER);
export const HISTORY_FILE = 'history.db';
/** Exists while a folder is being cleared. */
export const RESETTING_FILE = 'resetting';
