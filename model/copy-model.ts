/**
 * Expected results of copies, computed again from fills and ledger entries: fees from the entry of
 * each fill, profit from prices and sizes, shares from both. It shares no arithmetic with the
 * exchange.
 */
import { expect } from 'vitest';
import type { Id, Uid } from '../src/kernel/ids.ts';
import type { TrackedOrderRow } from '../src/messages/copy-trading.ts';
import type { Event, EventOf } from '../src/messages/events.ts';
import type { FillRow } from '../src/messages/orders.ts';

const UNIT = 10n ** 10n;

interface Part {
  readonly size: bigint;
  readonly price: bigint;
  readonly fee: bigint;
}

interface Computed {
  readonly row: TrackedOrderRow;
  readonly profitShare: bigint;
  size: bigint;
  cost: bigint;
  closedSize: bigint;
  closedCost: bigint;
  closeFee: bigint;
  profit: bigint;
}

const floored = (numerator: bigint, denominator: bigint): bigint => {
  const quotient = numerator / denominator;
  return numerator % denominator < 0n ? quotient - 1n : quotient;
};
const nearest = (numerator: bigint, denominator: bigint): bigint =>
  (numerator * 2n + denominator) / (denominator * 2n);

export class CopyModel {
  readonly #shares = new Map<Uid, bigint>();
  readonly #openings = new Map<Id, Part[]>();
  readonly #open = new Map<Id, Computed>();
  /** Closing fills that were emitted before the change of their tracked order. */
  #closed: { readonly fill: FillRow; left: bigint; given: bigint; readonly fee: bigint }[] = [];
  /**
   * For positions in takeover: what was closed, of which copies, and what the house gave or took.
   */
  readonly #takenOver = new Map<
    Uid,
    { size: bigint; received: bigint; readonly side: string; readonly parts: Map<Id, bigint> }
  >();
  /** Part of a loss that the house paid; its entry comes right before the fill. */
  #affordable = 0n;
  /** Charges of positions since the last fill; their entries come right before the fill. */
  #charged = 0n;
  #posted: { readonly follower: Uid; readonly leader: Uid; readonly amount: bigint }[] = [];
  ended = 0;
  shared = 0n;
  cut = 0;
  /** How often each cause closed the last part of a copy. */
  readonly closers = new Map<string, number>();

  take(events: readonly Event[]): void {
    for (const event of events) this.#takeEvent(event);
    expect(this.#posted, 'every share belongs to a copy that has ended').toEqual([]);
    for (const { row } of this.#open.values()) expect(row.closedSize <= row.openSize).toBe(true);
  }

  #takeEvent(event: Event): void {
    switch (event.type) {
      case 'leaderMade':
        this.#shares.set(event.leader.uid, event.leader.profitShare);
        break;
      case 'entryPosted':
        this.#entry(event);
        break;
      case 'fillSettled':
        this.#fill(event.fill);
        break;
      case 'positionClosed':
        this.#takeover(event.position.uid, event.position.side);
        break;
      case 'trackedOrderOpened':
        this.#opened(event.order);
        break;
      case 'trackedOrderChanged':
        this.#changed(event.order);
        break;
      case 'trackedOrderEnded':
        this.#end(event);
    }
  }

  #entry({ reason, lines }: EventOf<'entryPosted'>): void {
    if (reason === 'profitShare') {
      const [paid, got] = lines;
      expect([paid!.account, got!.account, paid!.amount + got!.amount]).toEqual([
        'available',
        'available',
        0n,
      ]);
      this.#posted.push({ follower: paid!.uid!, leader: got!.uid!, amount: got!.amount });
      return;
    }
    if (reason === 'takeover') this.#takenOver.get(lines[0]!.uid!)!.received += lines[0]!.amount;
    if (reason !== 'openPosition' && reason !== 'closePosition') return;
    this.#charged += lines.find(({ account }) => account === 'fees')?.amount ?? 0n;
    // Clearing pays profits; any other house line of a close compensates a loss.
    const ofHouse = lines.filter(({ uid, account }) => uid === undefined && account !== 'fees');
    for (const { amount } of ofHouse.slice(1)) this.#affordable -= amount;
  }

  /** What the house took or gave is shared by closed size. */
  #takeover(uid: Uid, side: string): void {
    const taken = this.#takenOver.get(uid);
    if (taken?.side !== side) return;
    const { size: whole, parts, received } = taken;
    for (const [id, size] of parts) this.#open.get(id)!.profit += (received * size) / whole;
    this.#takenOver.delete(uid);
  }

  #fill(fill: FillRow): void {
    const fee = this.#charged;
    this.#charged = 0n;
    expect(fill.fee, 'the fill shows the fee that was charged').toBe(fee);
    if (fill.intent === 'open') {
      const parts = this.#openings.get(fill.orderId) ?? [];
      this.#openings.set(fill.orderId, [...parts, { size: fill.size, price: fill.price, fee }]);
    }
    if (fill.executionKind === 'liquidation') {
      const { size = 0n, received = 0n, parts = new Map() } = this.#takenOver.get(fill.uid) ?? {};
      this.#takenOver.set(fill.uid, {
        size: size + fill.size,
        received: received + this.#affordable,
        side: fill.positionSide!,
        parts,
      });
    }
    this.#affordable = 0n;
    if (fill.intent === 'close') this.#closed.push({ fill, left: fill.size, given: 0n, fee });
  }

  #opened(row: TrackedOrderRow): void {
    const parts = this.#openings.get(row.openOrderId) ?? [];
    const size = parts.reduce((sum, part) => sum + part.size, 0n);
    const cost = parts.reduce((sum, part) => sum + part.size * part.price, 0n);
    // A leader may close part of an order before it is done; a copy begins whole.
    if (row.originalId !== undefined) {
      expect([row.openSize, row.openFee]).toEqual([
        size,
        parts.reduce((sum, part) => sum + part.fee, 0n),
      ]);
      expect(row.openPrice).toBe(nearest(cost, size));
      const margin = row.category === 'COIN-FUTURES' ? size * UNIT : cost;
      expect(row.margin).toBe(
        (margin + BigInt(row.leverage) * UNIT - 1n) / (BigInt(row.leverage) * UNIT),
      );
    }
    this.#open.set(row.trackingId, {
      row,
      profitShare: this.#shares.get(row.leader)!,
      size: row.openSize,
      cost: row.originalId === undefined ? row.openPrice * row.openSize : cost,
      closedSize: 0n,
      closedCost: 0n,
      closeFee: 0n,
      profit: 0n,
    });
  }

  /**
   * Finds the fill of a closed part: the oldest of the account and order with enough left. A
   * leader's order may also close untracked size, so for originals only sizes are compared.
   */
  #changed(row: TrackedOrderRow): void {
    const computed = this.#open.get(row.trackingId)!;
    const size = row.closedSize - computed.closedSize;
    if (size === 0n) return;
    const at = this.#closed.findIndex(
      ({ fill, left }) => fill.uid === row.uid && fill.orderId === row.closeOrderId && left >= size,
    );
    expect(at, 'every closed part has a fill').toBeGreaterThanOrEqual(0);
    const found = this.#closed[at]!;
    const { fill, fee } = found;
    expect([fill.symbol, fill.positionSide]).toEqual([row.symbol, row.side]);
    const feeUpTo = (given: bigint): bigint => (fee * given) / fill.size;
    computed.closeFee += feeUpTo(found.given + size) - feeUpTo(found.given);
    found.given += size;
    found.left -= size;
    const cost = nearest(computed.cost * size, computed.size);
    const difference = (row.side === 'long' ? 1n : -1n) * (size * fill.price - cost);
    computed.profit +=
      row.category === 'COIN-FUTURES' ? floored(difference, fill.price) : floored(difference, UNIT);
    computed.size -= size;
    computed.cost -= cost;
    computed.closedSize += size;
    computed.closedCost += size * fill.price;
    const parts =
      fill.executionKind === 'liquidation' ? this.#takenOver.get(row.uid)?.parts : undefined;
    if (row.originalId !== undefined)
      parts?.set(row.trackingId, (parts.get(row.trackingId) ?? 0n) + size);
    if (row.originalId !== undefined)
      expect([row.profit, row.closeFee]).toEqual([computed.profit, computed.closeFee]);
  }

  #end({ order: row, share }: EventOf<'trackedOrderEnded'>): void {
    this.#changed(row);
    const { size, profit, closeFee, closedCost, closedSize, profitShare } = this.#open.get(
      row.trackingId,
    )!;
    this.#open.delete(row.trackingId);
    expect([size, closedSize]).toEqual([0n, row.openSize]);
    if (row.originalId === undefined) {
      expect(share).toBe(0n);
      return;
    }
    expect([row.profit, row.closedPrice]).toEqual([profit, nearest(closedCost, closedSize)]);
    this.ended++;
    this.closers.set(row.closer ?? '', (this.closers.get(row.closer ?? '') ?? 0) + 1);
    const earned = profit - row.openFee - closeFee;
    const owed = earned > 0n ? (earned * profitShare) / UNIT : 0n;
    expect(share <= owed, 'no more than the share').toBe(true);
    if (share < owed) this.cut++;
    this.shared += share;
    if (share === 0n) return;
    const at = this.#posted.findIndex(
      (each) => each.follower === row.uid && each.leader === row.leader && each.amount === share,
    );
    expect(at, 'a share is posted once').toBeGreaterThanOrEqual(0);
    this.#posted.splice(at, 1);
  }

  /** Between commands only fills of untracked size are left. */
  forgetFills(): void {
    this.#closed = [];
  }
}
