/** The real disk: Node's asynchronous file calls; short writes are passed on unchanged. */
import fs from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Disk, DiskFile } from './disk.ts';

type Done<Value> = (error: NodeJS.ErrnoException | null, value: Value) => void;

/**
 * Wraps a callback call in a promise. It is cheaper than the promises of file handles, and every
 * batch pays for it.
 */
const call = <Value>(start: (done: Done<Value>) => void): Promise<Value> =>
  new Promise((fulfil, reject) => {
    start((error, value) => (error === null ? fulfil(value) : reject(error)));
  });
const act = (start: (done: (error: NodeJS.ErrnoException | null) => void) => void): Promise<void> =>
  call<void>((done) => start((error) => done(error, undefined)));

const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL } = fs.constants;
const FLAGS = { read: O_RDONLY, write: O_RDWR, create: O_RDWR | O_CREAT | O_EXCL } as const;
/** The journal holds all data of all accounts: only the owner may read it. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

class NodeFile implements DiskFile {
  readonly #path: string;
  readonly #descriptor: number;

  constructor(path: string, descriptor: number) {
    this.#path = path;
    this.#descriptor = descriptor;
  }

  write(bytes: Uint8Array, position: number): Promise<number> {
    return call<number>((done) =>
      fs.write(this.#descriptor, bytes, 0, bytes.length, position, done),
    ).catch(this.#named);
  }

  read(into: Uint8Array, position: number): Promise<number> {
    return call<number>((done) =>
      fs.read(this.#descriptor, into, 0, into.length, position, done),
    ).catch(this.#named);
  }

  sync(): Promise<void> {
    return act((done) => fs.fdatasync(this.#descriptor, done)).catch(this.#named);
  }

  truncate(size: number): Promise<void> {
    return act((done) => fs.ftruncate(this.#descriptor, size, done)).catch(this.#named);
  }

  /** Node's errors on an open file do not name it. */
  #named = (error: NodeJS.ErrnoException): never => {
    error.message += ` '${this.#path}'`;
    throw error;
  };

  async size(): Promise<number> {
    const stats = await call<fs.Stats>((done) => fs.fstat(this.#descriptor, done));
    return stats.size;
  }

  close(): Promise<void> {
    return act((done) => fs.close(this.#descriptor, done));
  }
}

async function syncFolder(folder: string): Promise<void> {
  const descriptor = await call<number>((done) => fs.open(folder, O_RDONLY, done));
  try {
    await act((done) => fs.fsync(descriptor, done));
  } finally {
    await act((done) => fs.close(descriptor, done));
  }
}

/**
 * Makes each new folder name durable in its parent. A folder that loses its name loses everything
 * in it.
 */
async function syncNames(folder: string, created: string): Promise<void> {
  for (
    let above = dirname(resolve(folder));
    above.length >= dirname(created).length;
    above = dirname(above)
  ) {
    await syncFolder(above);
    if (above === dirname(above)) return;
  }
}

const isFolder = (path: string): Promise<boolean> =>
  call<fs.Stats>((done) => fs.stat(path, done)).then(
    (stats) => stats.isDirectory(),
    () => false,
  );

/**
 * Creates a folder and its parents; returns the topmost new one. Node's recursive `mkdir` loops
 * forever on file systems that report a missing parent, such as `/proc`.
 */
async function makeFolder(folder: string): Promise<string | undefined> {
  if (await isFolder(folder)) return undefined;
  const created = await makeFolder(dirname(folder));
  try {
    await act((done) => fs.mkdir(folder, FOLDER_MODE, done));
  } catch (error) {
    // Another process may have created it first.
    if (!(await isFolder(folder))) throw error;
  }
  return created ?? folder;
}

async function list(folder: string): Promise<string[]> {
  const created = await makeFolder(resolve(folder));
  if (created !== undefined) await syncNames(folder, created);
  const names = await call<string[]>((done) => fs.readdir(folder, done));
  return names.sort();
}

export const nodeDisk: Disk = {
  open: async (path, mode) =>
    new NodeFile(path, await call<number>((done) => fs.open(path, FLAGS[mode], FILE_MODE, done))),
  list,
  rename: (from, to) => act((done) => fs.rename(from, to, done)),
  remove: (path) => act((done) => fs.unlink(path, done)),
  syncFolder,
};
