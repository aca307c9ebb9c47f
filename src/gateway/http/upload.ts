/** A body of bytes that is read as a stream with backpressure on its sender. */

/** Above this many buffered bytes the socket is paused until the reader has taken them. */
const HELD_BYTES_MAX = 256 * 1024;
/** A part of one byte takes some hundreds of bytes of memory. */
const HELD_PARTS_MAX = 256;

/** The body has more bytes than its route accepts. */
export class UploadTooLarge extends Error {
  readonly bytesMax: number;

  constructor(bytesMax: number) {
    super(`a body has at most ${bytesMax} bytes`);
    this.bytesMax = bytesMax;
  }
}

/** The connection ended before the end of the body. */
export class UploadBrokenOff extends Error {}

export class Upload implements AsyncIterable<Uint8Array> {
  readonly #resume: () => void;
  readonly #bytesMax: number;
  #parts: Buffer[] = [];
  #held = 0;
  #bytes = 0;
  #isWhole = false;
  #isDiscarded = false;
  #isPaused = false;
  #fault: Error | undefined;
  #wake: () => void = () => undefined;

  /** `resume` allows more parts to arrive after `take` has returned false. */
  constructor(resume: () => void, bytesMax: number) {
    this.#resume = resume;
    this.#bytesMax = bytesMax;
  }

  /** True if the next part must come from the sender. A delay is then the sender's. */
  get waitsForSender(): boolean {
    return !this.#isWhole && !this.#isPaused;
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Returns true if more may arrive now. */
  take(part: Buffer): boolean {
    this.#bytes += part.length;
    if (this.#isDiscarded || this.#fault !== undefined) return true;
    if (this.#bytes > this.#bytesMax) {
      this.fail(new UploadTooLarge(this.#bytesMax));
      return true;
    }
    this.#parts.push(part);
    this.#held += part.length;
    this.#isPaused = this.#held >= HELD_BYTES_MAX || this.#parts.length >= HELD_PARTS_MAX;
    this.#wake();
    return !this.#isPaused;
  }

  end(): void {
    this.#isWhole = true;
    this.#wake();
  }

  fail(fault: Error): void {
    if (this.#isWhole) return;
    this.#fault ??= fault;
    this.#wake();
  }

  /** The call was answered early, so the rest is dropped. */
  discard(): void {
    this.#isDiscarded = true;
    this.#takeParts();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      if (this.#fault !== undefined) throw this.#fault;
      const parts = this.#takeParts();
      yield* parts;
      if (parts.length > 0) continue;
      if (this.#isWhole) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #takeParts(): readonly Buffer[] {
    const parts = this.#parts;
    this.#parts = [];
    this.#held = 0;
    if (this.#isPaused) this.#resume();
    this.#isPaused = false;
    return parts;
  }
}

/** The body of a call without one. */
export async function* noUpload(): AsyncGenerator<Uint8Array> {}

/** The limit of uploads in progress: each takes up to its size on the disk. */
export const UPLOADS_MAX = 4;

export class Uploads {
  readonly #inProgress = new Set<Upload>();

  /** Returns false if there are too many. */
  begin(upload: Upload): boolean {
    if (this.#inProgress.size >= UPLOADS_MAX) return false;
    this.#inProgress.add(upload);
    return true;
  }

  end(upload: Upload): void {
    this.#inProgress.delete(upload);
    upload.discard();
  }
}
