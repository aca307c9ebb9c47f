/**
 * A disk with power failures. For each file it stores the written and the durable content by
 * sector, for each folder the durable names. A crash keeps any part of what was not synced and
 * corrupts the rest. Planned calls fail or write less than requested. All choices come from one
 * seed.
 */

import type { Disk, DiskError, DiskFile } from '../journal/disk.ts';
import { invariant } from '../kernel/invariant.ts';
import { type Random, seededRandom } from '../kernel/random.ts';
import { Inode } from './inode.ts';

export type DiskOperation =
  | 'open'
  | 'list'
  | 'read'
  | 'write'
  | 'sync'
  | 'truncate'
  | 'size'
  | 'close'
  | 'rename'
  | 'remove'
  | 'syncFolder';

/** The effect on a call: an error code, a short write, or a power failure. */
export type Fault = 'EIO' | 'ENOSPC' | 'EMFILE' | 'short' | 'powerLoss';
/** Calls are counted from 1. */
export type FaultPlan = (call: number, operation: DiskOperation, path: string) => Fault | undefined;

interface NameChange {
  readonly inode: Inode;
  /** The old and the new name: a created file has no old one, a removed file no new one. */
  readonly from?: string;
  readonly to?: string;
}

function applyChange(names: Map<string, Inode>, { inode, from, to }: NameChange): void {
  if (from !== undefined && names.get(from) === inode) names.delete(from);
  if (to !== undefined) names.set(to, inode);
}

/**
 * The answer to a caller that has crashed. Each call has its own promise, so that its waiters are
 * collected with it.
 */
const never = (): Promise<never> => new Promise(() => {});

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));
const isIn = (folder: string, { from, to }: NameChange): boolean =>
  folderOf(to ?? from ?? '') === folder;

const diskError = (code: string, operation: string, path: string): DiskError =>
  Object.assign(new Error(`${code}: ${operation} ${path}`), { code });

export class SimulatedDisk {
  readonly #random: Random;
  #names = new Map<string, Inode>();
  #durableNames = new Map<string, Inode>();
  #changes: NameChange[] = [];
  #plan: FaultPlan = () => undefined;
  #calls = 0;
  /** Handles of an earlier run never answer. */
  #run = 0;
  #dead = false;
  readonly #listeners = new Set<() => void>();

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  get calls(): number {
    return this.#calls;
  }

  /** Replaces the plan and counts calls from 1 again. */
  setFaults(plan: FaultPlan): void {
    this.#plan = plan;
    this.#calls = 0;
  }

  /** The power fails: content without a sync is kept, lost or corrupted, and a new run starts. */
  crash(): void {
    const names = new Map(this.#durableNames);
    for (const change of this.#changes) if (this.#random.below(2) === 0) applyChange(names, change);
    const inodes = new Set([...this.#names.values(), ...this.#durableNames.values()]);
    for (const inode of inodes) inode.crash(this.#random);
    this.#names = names;
    this.#durableNames = new Map(names);
    this.#changes = [];
    this.kill();
  }

  /** The program crashes and the system continues: all written content stays, synced or not. */
  kill(): void {
    this.#run++;
    this.#dead = false;
    this.#plan = () => undefined;
    this.#calls = 0;
    this.#listeners.clear();
  }

  /** The result of the work, or undefined if the power fails first. */
  orPowerLoss<Value>(work: Promise<Value>): Promise<Value | undefined> {
    if (this.#dead) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      const lost = (): void => resolve(undefined);
      this.#listeners.add(lost);
      work.then(resolve, reject).finally(() => this.#listeners.delete(lost));
    });
  }

  /** A durable file's bytes, for a test to read or corrupt. */
  bytesOf(path: string): Buffer {
    return this.#inode(path, 'open').written;
  }

  /** Creates or replaces a durable file. */
  place(path: string, bytes: Uint8Array): void {
    const inode = new Inode();
    inode.write(bytes, 0);
    inode.sync();
    this.#names.set(path, inode);
    this.#durableNames.set(path, inode);
  }

  /** A disk with the same durable content, to try several continuations of one state. */
  copy(seed: number): SimulatedDisk {
    const other = new SimulatedDisk(seed);
    for (const [path, inode] of this.#names) other.place(path, inode.written);
    return other;
  }

  paths(): readonly string[] {
    return [...this.#names.keys()].sort();
  }

  /** The disk of the current run; its calls never answer after that run ends. */
  mount(): Disk {
    const run = this.#run;
    return {
      open: (path, mode) => this.#open(path, mode, run),
      list: (folder) => this.#call('list', folder, run, () => this.#namesIn(folder)),
      rename: (from, to) =>
        this.#call('rename', from, run, () =>
          this.#change({ inode: this.#inode(from, 'rename'), from, to }),
        ),
      remove: (path) =>
        this.#call('remove', path, run, () =>
          this.#change({ inode: this.#inode(path, 'remove'), from: path }),
        ),
      syncFolder: (folder) => this.#call('syncFolder', folder, run, () => this.#keepNames(folder)),
    };
  }

  async #open(path: string, mode: 'create' | 'write' | 'read', run: number): Promise<DiskFile> {
    const inode = await this.#call('open', path, run, () => {
      if (mode !== 'create') return this.#inode(path, 'open');
      if (this.#names.has(path)) throw diskError('EEXIST', 'open', path);
      const created = new Inode();
      this.#change({ inode: created, to: path });
      return created;
    });
    return this.#file(path, inode, run);
  }

  #namesIn(folder: string): string[] {
    const inside = [...this.#names.keys()].filter((path) => folderOf(path) === folder);
    return inside.map((path) => path.slice(folder.length + 1)).sort();
  }

  #keepNames(folder: string): void {
    for (const change of this.#changes)
      if (isIn(folder, change)) applyChange(this.#durableNames, change);
    this.#changes = this.#changes.filter((change) => !isIn(folder, change));
  }

  #inode(path: string, operation: string): Inode {
    const inode = this.#names.get(path);
    if (inode === undefined) throw diskError('ENOENT', operation, path);
    return inode;
  }

  #change(change: NameChange): void {
    applyChange(this.#names, change);
    this.#changes.push(change);
  }

  /**
   * Every call passes here. It takes effect at once and returns later. If the power fails during or
   * after the call, it never returns. `partly` is the effect of a failed call.
   */
  async #call<Value>(
    operation: DiskOperation,
    path: string,
    run: number,
    effect: (fault: Fault | undefined) => Value,
    partly?: (fault: Fault) => void,
  ): Promise<Value> {
    if (this.#dead || run !== this.#run) return await never();
    const fault = this.#plan(++this.#calls, operation, path);
    if (fault === 'powerLoss') {
      if (this.#random.below(2) === 0) effect(fault);
      else partly?.(fault);
      this.#dead = true;
      for (const listener of this.#listeners) listener();
      return await never();
    }
    if (fault !== undefined && fault !== 'short') {
      partly?.(fault);
      throw diskError(fault, operation, path);
    }
    const value = effect(fault);
    await Promise.resolve();
    return this.#dead || run !== this.#run ? await never() : value;
  }

  #file(path: string, inode: Inode, run: number): DiskFile {
    const random = this.#random;
    let closed = false;
    const call = <Value>(
      operation: DiskOperation,
      effect: (fault: Fault | undefined) => Value,
      partly?: (fault: Fault) => void,
    ): Promise<Value> => {
      invariant(!closed, `${path} is not used after it was closed`);
      return this.#call(operation, path, run, effect, partly);
    };
    const write = (bytes: Uint8Array, position: number, length: number): number => {
      inode.write(bytes.subarray(0, length), position);
      return length;
    };
    return {
      write: (bytes, position) =>
        call(
          'write',
          (fault) =>
            write(
              bytes,
              position,
              fault === 'short' ? Math.max(1, random.below(bytes.length)) : bytes.length,
            ),
          () => write(bytes, position, random.below(bytes.length + 1)),
        ),
      read: (into, position) =>
        call('read', (fault) => {
          const left = Math.max(0, Math.min(into.length, inode.written.length - position));
          const length = fault === 'short' && left > 1 ? 1 + random.below(left - 1) : left;
          into.set(inode.written.subarray(position, position + length));
          return length;
        }),
      sync: () =>
        call(
          'sync',
          () => inode.sync(),
          (fault) => fault !== 'powerLoss' && inode.forgetSome(random),
        ),
      truncate: (size) => call('truncate', () => inode.resize(size)),
      size: () => call('size', () => inode.written.length),
      close: () =>
        call('close', () => {
          closed = true;
        }),
    };
  }
}
