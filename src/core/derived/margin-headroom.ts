/**
 * Lower bounds of the free margin of accounts. Most orders and fills are far from any limit, so a
 * bound can accept them without a sum over the account. Losses count in full, gains at most in
 * part; any other change removes the bound. A bound never refuses: if it does not cover a need, the
 * exact computation decides. So decisions do not depend on which bounds exist, for example after a
 * restore.
 */

import { isDollar } from '../../formulas/index-price.ts';
import type { Uid } from '../../kernel/ids.ts';
import { type Amount, approximate } from '../../kernel/money.ts';
import { UidTable } from '../../kernel/uid-table.ts';

/** In the smallest units of USD, in floating point. */
interface Bounds {
  /** The number of the last change of prices or listings when the bound was set. */
  epoch: number;
  /** Equity minus initial margin. */
  free: number;
  /** Equity minus maintenance margin. */
  maintenanceBuffer: number;
  /** False if positions or pairs of the account can be liquidated on their own. */
  readonly whole: boolean;
}

/** Far above any error of floating point and rounding: a share of a sum, and 0.00001 dollars. */
const CAUTION = 1e-9;

const UNITS_OFF = 100_000;

const cautious = (loss: number): number => loss * (1 + CAUTION) + UNITS_OFF;

export class MarginHeadroom {
  #epoch = 0;
  readonly #bounds = new UidTable<Bounds>();

  /** A price or a listing has changed. */
  invalidateAll(): void {
    this.#epoch += 1;
  }

  forget(uid: Uid): void {
    this.#bounds.delete(uid);
  }

  /** Sets bounds from exact sums. */
  setExact(uid: Uid, free: Amount, maintenanceBuffer: Amount, whole: boolean): void {
    this.#bounds.set(uid, {
      epoch: this.#epoch,
      free: lowered(approximate(free)),
      maintenanceBuffer: lowered(approximate(maintenanceBuffer)),
      whole,
    });
  }

  /** Sets bounds that already contain a safety margin. */
  setBounds(uid: Uid, free: number, maintenanceBuffer: number, whole: boolean): void {
    this.#bounds.set(uid, { epoch: this.#epoch, free, maintenanceBuffer, whole });
  }

  /** True if there is a bound for the current prices. */
  isFresh(uid: Uid): boolean {
    return this.#boundsOf(uid) !== undefined;
  }

  /** True if the free margin surely covers so much more initial margin. */
  coversInitial(uid: Uid, need: number): boolean {
    const bounds = this.#boundsOf(uid);
    return bounds !== undefined && bounds.free > cautious(need);
  }

  /** True if the account surely covers a loss including the increase of its maintenance margin. */
  coversLoss(uid: Uid, loss: number): boolean {
    const bounds = this.#boundsOf(uid);
    return bounds !== undefined && bounds.maintenanceBuffer > cautious(loss);
  }

  /** True if no part of the account can be liquidated now. */
  isSafe(uid: Uid): boolean {
    const bounds = this.#boundsOf(uid);
    return bounds?.whole === true && bounds.maintenanceBuffer > UNITS_OFF;
  }

  /** The margin of open orders has changed. */
  orderMarginMoved(uid: Uid, coin: string, more: Amount): void {
    const bounds = this.#boundsOf(uid);
    if (bounds === undefined) return;
    if (!isDollar(coin)) return this.forget(uid);
    const need = approximate(more);
    bounds.free -= need > 0 ? cautious(need) : need * (1 - CAUTION) + UNITS_OFF;
  }

  /** A wallet has changed. An increase does not raise the bound. */
  walletMoved(uid: Uid, coin: string, amount: Amount): void {
    if (amount > 0n) return;
    const bounds = this.#boundsOf(uid);
    if (bounds === undefined) return;
    if (!isDollar(coin)) return this.forget(uid);
    this.#lose(bounds, -approximate(amount));
  }

  /**
   * A crossed position with a dollar margin coin has changed: its loss against mark, and the
   * increases of maintenance and initial margin.
   */
  positionMoved(uid: Uid, loss: number, requirement: number, initial: number): void {
    const bounds = this.#boundsOf(uid);
    if (bounds === undefined) return;
    this.#lose(bounds, loss);
    bounds.maintenanceBuffer -= cautious(requirement);
    bounds.free -= cautious(initial);
  }

  /** For the audit. */
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
