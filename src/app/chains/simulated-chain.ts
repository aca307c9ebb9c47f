/**
 * Simulates a chain on the exchange clock: it mines blocks at a fixed interval, confirms transfers
 * with them, and causes planned faults.
 */
import { createHash } from 'node:crypto';
import { wireRejection } from '../../contract/wire-rejections.ts';
import type { Reply } from '../../gateway/handlers/handler.ts';
import type { ChainFault } from '../../gateway/handlers/parts.ts';
import type { Id } from '../../kernel/ids.ts';
import { moneyText } from '../../kernel/money.ts';
import { ok, refuse } from '../../kernel/result.ts';
import { MINUTE, SECOND, type Timestamp } from '../../kernel/time.ts';
import type { AddressKind } from '../../messages/vocabulary.ts';
import type { ChainConnector, ChainReport, Transfer } from './chain-connector.ts';

/** Interval between blocks. */
const BLOCK_MS: Readonly<Record<AddressKind, number>> = {
  bitcoin: 10 * MINUTE,
  evm: 12 * SECOND,
  tron: 3 * SECOND,
  solana: 400,
  xrp: 4 * SECOND,
  lightning: SECOND,
};

/** Transfers in memory; older ones were confirmed long ago. */
const REMEMBERED_MAX = 1_000_000;
/** Bounds planned faults: several calls can plan them. */
const PLANNED_MAX = 10_000;

export const FATES = ['sent', 'failing', 'barred', 'refused'] as const;

/** What the chain knows of an order, as its memory stores it. */
export interface Remembered {
  readonly orderId: Id;
  readonly fate: (typeof FATES)[number];
  readonly hash: string;
  readonly at: Timestamp;
  readonly blockMs: number;
  readonly coin: string;
  readonly address: string;
  readonly amount: string;
}

/** Survives the program, as a chain does: a sent transfer stays sent. */
export interface ChainMemory {
  load(): readonly Remembered[];
  /** Durable when it returns. */
  append(row: Remembered): void;
}

export interface SimulatedChainOptions {
  readonly now: () => Timestamp;
  readonly memory: ChainMemory;
}

function hashOf({ orderId, chain, addressKind }: Transfer): string {
  const hex = createHash('sha256').update(`rialto ${chain} ${orderId}`).digest('hex');
  return addressKind === 'evm' ? `0x${hex}` : hex;
}

export class SimulatedChain implements ChainConnector {
  readonly #options: SimulatedChainOptions;
  readonly #known = new Map<Id, Remembered>();
  readonly #planned: ChainFault[] = [];
  #listener: (report: ChainReport) => void = () => {};

  constructor(options: SimulatedChainOptions) {
    this.#options = options;
    for (const row of options.memory.load()) this.#keep(row);
  }

  onReport(listener: (report: ChainReport) => void): void {
    this.#listener = listener;
  }

  /** The next broadcasts meet this fault. */
  plan(fault: ChainFault, count: number): Reply<null> {
    if (this.#planned.length + count > PLANNED_MAX)
      return refuse(wireRejection('tooManyItems', 'count', String(PLANNED_MAX)));
    for (let at = 0; at < count; at++) this.#planned.push(fault);
    return ok(null);
  }

  broadcast(transfer: Transfer): void {
    const { orderId } = transfer;
    const fault = this.#planned.shift();
    if (fault === 'lose_request') return;
    if (fault === 'refuse' || this.#known.has(orderId)) {
      this.#remember(transfer, 'refused');
      this.#listener({ sighting: 'refused', orderId });
      return;
    }
    const hash = this.#remember(transfer, fault === 'fail' ? 'failing' : 'sent');
    if (fault === 'lose_reply') return;
    this.#listener({ sighting: 'sent', orderId, hash });
    if (fault === 'repeat_reply') this.#listener({ sighting: 'sent', orderId, hash });
  }

  inquire(orderId: Id): void {
    const known = this.#known.get(orderId);
    if (known === undefined) {
      this.#write({
        orderId,
        fate: 'barred',
        hash: '',
        at: this.#options.now(),
        blockMs: 1,
        coin: '',
        address: '',
        amount: '0',
      });
      this.#listener({ sighting: 'never', orderId });
      return;
    }
    this.#listener(this.#sightingOf(known));
  }

  #sightingOf({ orderId, fate, hash, at, blockMs }: Remembered): ChainReport {
    if (fate === 'barred' || fate === 'refused') return { sighting: 'never', orderId };
    const confirmations = Math.floor(this.#options.now() / blockMs) - Math.floor(at / blockMs);
    if (confirmations < 1) return { sighting: 'sent', orderId, hash };
    return fate === 'failing'
      ? { sighting: 'failed', orderId }
      : { sighting: 'confirmed', orderId, hash, confirmations };
  }

  /**
   * A second request for a known order is stored beside the first, so that the memory shows both.
   */
  #remember(transfer: Transfer, fate: Remembered['fate']): string {
    const { orderId, coin, address, amount, addressKind } = transfer;
    const hash = hashOf(transfer);
    const at = this.#options.now();
    this.#write({
      orderId,
      fate,
      hash,
      at,
      blockMs: BLOCK_MS[addressKind],
      coin,
      address,
      amount: moneyText(amount),
    });
    return hash;
  }

  #write(row: Remembered): void {
    this.#options.memory.append(row);
    this.#keep(row);
  }

  #keep(row: Remembered): void {
    if (this.#known.has(row.orderId)) return;
    this.#known.set(row.orderId, row);
    if (this.#known.size <= REMEMBERED_MAX) return;
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest);
      break;
    }
  }
}
