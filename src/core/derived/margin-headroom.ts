/**
 * Lower bounds of what accounts have to spare, kept up to date by what changes them: most orders
 * and fills are far from any limit, and a bound that is known to be above what they need answers in
 * place of adding the account up. Bounds are cautious, never exact: losses count in full, gains at
 * most in part, and whatever is not understood forgets the bound, so that the next question adds up
 * anew. They decide nothing by themselves: an account that a bound does not clear is reckoned
 * exactly. Derived, so a restored exchange starts without any and decides the same.
 */

import { isDollar } from '../../formulas/index-price.ts';
import type { Uid } from '../../kernel/ids.ts';
import { type Amount, approximate } from '../../kernel/money.ts';
import { UidTable } from '../../kernel/uid-table.ts';

/** In the smallest units of USD, in floating point. */
interface Bounds {
  /** Prices as they were when it was measured. */
  epoch: number;
  /** Free equity above the initial margin. */
  free: number;
  /** Equity above maintenance. */
  maintenanceBuffer: number;
  /** Whether nothing but the account as a whole can be liquidated. */
  readonly whole: boolean;
}

/**
 * What floating point and single roundings may be off by, many times over: a share of a sum, and a
 * hundred thousandth of a dollar.
 */
const CAUTION = 1e-9;

const UNITS_OFF = 100_000;

const cautious = (loss: number): number => loss * (1 + CAUTION) + UNITS_OFF;

export class MarginHeadroom {
  #epoch = 0;
  readonly #bounds = new UidTable<Bounds>();

  /** A price or a listing has changed: whatever was measured before holds no more. */
  invalidateAll(): void {
    this.#epoch += 1;
  }

  forget(uid: Uid): void {
    this.#bounds.delete(uid);
  }

  /** Takes exact sums in place of what was known. */
  setExact(uid: Uid, free: Amount, maintenanceBuffer: Amount, whole: boolean): void {
    this.#bounds.set(uid, {
      epoch: this.#epoch,
      free: lowered(approximate(free)),
      maintenanceBuffer: lowered(approximate(maintenanceBuffer)),
      whole,
    });
  }

  /** Takes bounds that have been lowered already. */
  setBounds(uid: Uid, free: number, maintenanceBuffer: number, whole: boolean): void {
    this.#bounds.set(uid, { epoch: this.#epoch, free, maintenanceBuffer, whole });
  }

  /** Whether anything is known that prices have not overtaken. */
  isFresh(uid: Uid): boolean {
    return this.#boundsOf(uid) !== undefined;
  }

  /** Whether so much more initial margin surely fits. */
  coversInitial(uid: Uid, need: number): boolean {
    const bounds = this.#boundsOf(uid);
    return bounds !== undefined && bounds.free > cautious(need);
  }

  /** Whether the account surely bears a loss and a higher maintenance together. */
  coversLoss(uid: Uid, loss: number): boolean {
    const bounds = this.#boundsOf(uid);
    return bounds !== undefined && bounds.maintenanceBuffer > cautious(loss);
  }

  /** Whether nothing of the account can surely be liquidated now. */
  isSafe(uid: Uid): boolean {
    const bounds = this.#boundsOf(uid);
    return bounds?.whole === true && bounds.maintenanceBuffer > UNITS_OFF;
  }

  /** Open orders need more of a coin than before, or less. */
  orderMarginMoved(uid: Uid, coin: string, more: Amount): void {
    const bounds = this.#boundsOf(uid);
    if (bounds === undefined) return;
    if (!isDollar(coin)) return this.forget(uid);
    const need = approximate(more);
    bounds.free -= need > 0 ? cautious(need) : need * (1 - CAUTION) + UNITS_OFF;
  }

  /** A wallet has more than before, which counts for nothing here, or less. */
  walletMoved(uid: Uid, coin: string, amount: Amount): void {
    if (amount > 0n) return;
    const bounds = this.#boundsOf(uid);
    if (bounds === undefined) return;
    if (!isDollar(coin)) return this.forget(uid);
    this.#lose(bounds, -approximate(amount));
  }

  /**
   * A crossed position of dollars has grown or shrunk: so much was lost against mark, and so much
   * more must be kept up and margined.
   */
  positionMoved(uid: Uid, loss: number, requirement: number, initial: number): void {
    const bounds = this.#boundsOf(uid);
    if (bounds === undefined) return;
    this.#lose(bounds, loss);
    bounds.maintenanceBuffer -= cautious(requirement);
    bounds.free -= cautious(initial);
  }

  /** What is known at this moment, for those who audit it. */
  boundsOf(uid: Uid): { readonly free: number; readonly maintenanceBuffer: number } | undefined {
    return this.#boundsOf(uid);
  }

  #lose(bounds: Bounds, loss: number): void {
    const lost = cautious(loss);
    bounds.free -= lost;
    bounds.maintenanceBuffer -= lost;
  }

  #boundsOf(uid: Uid): Bounds | undefined {
    const bounds = this.#bounds.get(uid);
    return bounds !== undefined && bounds.epoch === this.#epoch ? bounds : undefined;
  }
}

const lowered = (value: number): number => value - Math.abs(value) * CAUTION - UNITS_OFF;
