/**
 * The journal's disk interface. `node-disk.ts` is the real one; the simulator's can lose, tear and
 * refuse writes.
 */
export interface DiskFile {
  /** Writes at a position. May write fewer bytes than given; returns the count. */
  write(bytes: Uint8Array, position: number): Promise<number>;
  read(into: Uint8Array, position: number): Promise<number>;
  /** Returns only when everything written is durable (fdatasync). */
  sync(): Promise<void>;
  truncate(size: number): Promise<void>;
  size(): Promise<number>;
  close(): Promise<void>;
}

export interface Disk {
  /** `create` fails if the file exists; `write` and `read` fail if it does not. */
  open(path: string, mode: 'create' | 'write' | 'read'): Promise<DiskFile>;
  /** Returns the sorted names in a folder; creates the folder if it is missing. */
  list(folder: string): Promise<string[]>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes the names in a folder durable: new files, renames and removals. */
  syncFolder(folder: string): Promise<void>;
}

/** An error of the disk, with Node's `code` (ENOSPC, EIO, …). */
export interface DiskError extends Error {
  readonly code: string;
}

export const isDiskFull = (error: unknown): boolean => {
  const code = (error as Partial<DiskError>).code;
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EMFILE' || code === 'ENFILE';
};
