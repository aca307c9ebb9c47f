/** A bare client of the streams: sends frames, and waits for those that it expects. */
import { WebSocket } from 'ws';
import type { ShownCredentials } from '../../src/gateway/auth/credentials.ts';
import { sign } from './exchange.ts';

export interface Frame {
  readonly event?: string;
  readonly action?: string;
  readonly arg?: Readonly<Record<string, string>>;
  readonly code?: number | string;
  readonly msg?: string;
  readonly data?: readonly Readonly<Record<string, unknown>>[];
  readonly ts?: number;
}

export interface Ending {
  readonly code: number;
  readonly reason: string;
}

const PATIENCE_MS = 5_000;

export class StreamClient {
  readonly socket: WebSocket;
  /** All that came and was not waited for yet, in order. */
  readonly texts: string[] = [];
  readonly ended: Promise<Ending>;
  #onText: (() => void) | undefined;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (message: Buffer) => {
      this.texts.push(message.toString());
      this.#onText?.();
    });
    this.ended = new Promise((resolve) => {
      socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    });
  }

  static open(
    { url }: { readonly url: string },
    path = '/v2/ws/public',
    headers: Readonly<Record<string, string>> = {},
  ): Promise<StreamClient> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, { headers });
    const client = new StreamClient(socket);
    return new Promise((resolve, reject) => {
      socket.once('open', () => resolve(client));
      socket.once('error', reject);
    });
  }

  send(frame: unknown): void {
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  subscribe(...args: readonly unknown[]): void {
    this.send({ op: 'subscribe', args });
  }

  unsubscribe(...args: readonly unknown[]): void {
    this.send({ op: 'unsubscribe', args });
  }

  logIn(person: ShownCredentials, changed: Readonly<Record<string, string | number>> = {}): void {
    const { apiKey, passphrase, secretKey } = person;
    const timestamp = String(changed.timestamp ?? Math.floor(Date.now() / 1_000));
    const signature = sign(secretKey, `${timestamp}GET/user/verify`);
    const arg = { apiKey, passphrase, timestamp, sign: signature, ...changed };
    this.send({ op: 'login', args: [arg] });
  }

  /** The next message as it came. */
  async text(): Promise<string> {
    if (this.texts.length === 0)
      await new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error('no message came')), PATIENCE_MS);
        this.#onText = () => {
          clearTimeout(late);
          this.#onText = undefined;
          resolve();
        };
      });
    return this.texts.shift()!;
  }

  async frame(): Promise<Frame> {
    return JSON.parse(await this.text()) as Frame;
  }

  /** The next frames. */
  async frames(count: number): Promise<readonly Frame[]> {
    const frames: Frame[] = [];
    while (frames.length < count) frames.push(await this.frame());
    return frames;
  }

  /** The next push; answers before it are left out. */
  async push(): Promise<Frame> {
    for (;;) {
      const frame = await this.frame();
      if (frame.action !== undefined) return frame;
    }
  }

  /** What comes within a time. */
  async during(milliseconds: number): Promise<readonly Frame[]> {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    return this.texts.splice(0).map((text) => JSON.parse(text) as Frame);
  }

  close(): void {
    this.socket.terminate();
  }
}
