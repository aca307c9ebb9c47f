/**
 * The disk as the journal sees it. The real one is `node-disk.ts`; the simulator's loses, tears and
 * refuses on demand.
 */
export interface DiskFile {
  /** Writes at a position; may write less than asked, and says how much it wrote. */
  write(bytes: Uint8Array, position: number): Promise<number>;
  read(into: Uint8Array, position: number): Promise<number>;
  /** Returns only when everything written is durable (fdatasync). */
  sync(): Promise<void>;
  truncate(size: number): Promise<void>;
  size(): Promise<number>;
  close(): Promise<void>;
}

export interface Disk {
  /** `create` fails when the file is there; `write` and `read` fail when it is not. */
  open(path: string, mode: 'create' | 'write' | 'read'): Promise<DiskFile>;
  /** The names in a folder, sorted; creates the folder when it is not there. */
  list(folder: string): Promise<string[]>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes the names in a folder durable: new files, renames and removals. */
  syncFolder(folder: string): Promise<void>;
}

/** What a failing disk says; `code` as Node gives it (ENOSPC, EIO, …). */
export interface DiskError extends Error {
  readonly code: string;
}

export const isDiskFull = (error: unknown): boolean => {
  const code = (error as Partial<DiskError>).code;
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EMFILE' || code === 'ENFILE';
};
