/**
 * A file of the simulated disk, independent of its name: its written and durable content by sector,
 * and the effect of a crash on the rest.
 */
import type { Random } from '../kernel/random.ts';

const SECTOR_BYTES = 512;

export class Inode {
  written = Buffer.alloc(0);
  durable = Buffer.alloc(0);
  readonly unsynced = new Set<number>();

  resize(size: number): void {
    const resized = Buffer.alloc(size);
    this.written.copy(resized, 0, 0, Math.min(size, this.written.length));
    for (
      let at = Math.min(size, this.written.length);
      at < Math.max(size, this.written.length);
      at += SECTOR_BYTES
    )
      this.unsynced.add(Math.floor(at / SECTOR_BYTES));
    this.written = resized;
  }

  write(bytes: Uint8Array, position: number): void {
    const end = position + bytes.length;
    if (end > this.written.length) this.resize(end);
    this.written.set(bytes, position);
    for (let sector = Math.floor(position / SECTOR_BYTES); sector * SECTOR_BYTES < end; sector++)
      this.unsynced.add(sector);
  }

  sync(): void {
    if (this.durable.length !== this.written.length) {
      const resized = Buffer.alloc(this.written.length);
      this.durable.copy(resized);
      this.durable = resized;
    }
    for (const sector of this.unsynced)
      this.written.copy(
        this.durable,
        sector * SECTOR_BYTES,
        sector * SECTOR_BYTES,
        (sector + 1) * SECTOR_BYTES,
      );
    this.unsynced.clear();
  }

  /** A failed sync on some systems leaves bytes that can be read but that no later sync writes. */
  forgetSome(random: Random): void {
    for (const sector of this.unsynced) if (random.below(2) === 0) this.unsynced.delete(sector);
  }

  crash(random: Random): void {
    const size = random.below(2) === 0 ? this.durable.length : this.written.length;
    const left = Buffer.alloc(this.unsynced.size === 0 ? this.durable.length : size);
    this.durable.copy(left);
    for (const sector of this.unsynced) spoil(left, this.written, sector * SECTOR_BYTES, random);
    this.written = left;
    this.durable = Buffer.from(left);
    this.unsynced.clear();
  }
}

/** One sector after a crash: new, old, part new, zeros or noise. */
function spoil(left: Buffer, written: Buffer, start: number, random: Random): void {
  const end = Math.min(start + SECTOR_BYTES, left.length);
  if (end <= start) return;
  switch (random.below(5)) {
    case 0:
      written.copy(left, start, start, Math.min(end, written.length));
      return;
    case 1:
      return;
    case 2:
      written.copy(
        left,
        start,
        start,
        Math.min(start + random.below(SECTOR_BYTES), end, written.length),
      );
      return;
    case 3:
      left.fill(0, start, end);
      return;
    default:
      for (let at = start; at < end; at++) left[at] = random.below(256);
  }
}
