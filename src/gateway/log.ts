/**
 * The log: a JSON line for each failure and refused call, accepted calls at debug level only, no
 * credentials.
 */
import { type DestinationStream, destination, type Logger, pino } from 'pino';

export type Log = Pick<Logger, 'error' | 'warn' | 'info' | 'debug' | 'isLevelEnabled'>;

/** Values under these names are redacted at the top and up to two levels down. */
const SECRET_NAMES = [
  'access-key',
  'access-sign',
  'access-passphrase',
  'ACCESS-KEY',
  'ACCESS-SIGN',
  'ACCESS-PASSPHRASE',
  'authorization',
  'Authorization',
  'secretKey',
  'passphrase',
  'operatorToken',
] as const;

const paths = SECRET_NAMES.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]);

const STANDARD_ERROR = 2;

/** Writes to standard error, because standard output carries the ready line. */
export function openLog(
  level: string,
  to: DestinationStream = destination({ fd: STANDARD_ERROR, sync: true }),
): Log {
  return pino({ level, base: null, redact: { paths, censor: '[hidden]' } }, to);
}
