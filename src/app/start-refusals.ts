/** Describes why a start was refused, in one line for a person. */
import {
  DamagedJournal,
  DivergedReplay,
  FolderInUse,
  UnknownVersion,
} from '../journal/failures.ts';
import { MarketRefused } from '../simulator/market/market-accounts.ts';
import { HistoryUnavailable } from '../views/history/history.ts';
import { DamagedChainFile } from './chains/chain-file.ts';
import { UnguardedFolder } from './folder-guard.ts';
import { UnusableKeyring } from './keyring.ts';
import { MissingRecording } from './recordings/recordings.ts';
import { type Settings, settingRows } from './settings.ts';
import { BadWorld } from './world/bad-world.ts';

/** A refused start; the message is one line for a person. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}

const EXPECTED = [
  DamagedJournal,
  DivergedReplay,
  FolderInUse,
  UnknownVersion,
  HistoryUnavailable,
  UnusableKeyring,
  DamagedChainFile,
  UnguardedFolder,
  MissingRecording,
  BadWorld,
  MarketRefused,
];

/** Undefined for unexpected errors, which are bugs and keep their stack. */
export function refusalText(error: unknown, settings: Settings): string | undefined {
  if (EXPECTED.some((kind) => error instanceof kind)) return (error as Error).message;
  const {
    code,
    port = settings.port,
    syscall,
    message,
  } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE')
    return (
      `port ${port} is in use; ` +
      'choose another with --port and --operator-port (0 picks a free one)'
    );
  if (syscall === 'listen' && code === 'EACCES') {
    const { flag } = port === settings.port ? settingRows.port : settingRows.operatorPort;
    return (
      `${flag} ${port} cannot be opened by this user (${message}); ` +
      'a port above 1023 needs no permission'
    );
  }
  if (syscall === 'listen' || syscall === 'getaddrinfo')
    return `--host ${settings.host} cannot be opened with these ports: ${message}`;
  if (syscall === 'mkdir' || syscall === 'access')
    return `--data ${settings.data} cannot be created or written: ${message}`;
  // A refusal of the operating system (no right, no space, no such address) is not a bug of ours.
  if (syscall !== undefined) return message;
  return undefined;
}
