/** Names of the files in a data folder that more than one part speaks of. */

/** Written when the exchange is ready, so that the command line finds it whatever its ports are. */
export const ADDRESS_FILE = 'address.json';
export const CREDENTIALS_FILE = 'credentials.json';
export const MASTER_KEY_FILE = 'master.key';
