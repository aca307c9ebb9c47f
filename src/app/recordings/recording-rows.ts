/**
 * The bytes of recorded rows. Each kind has a fixed length, so that a row is found by its number.
 */
import type { RecordedCandle, RecordedTrade } from './recorded.ts';

export interface RowCodec<Row> {
  readonly bytes: number;
  write(to: DataView, at: number, row: Row): void;
  read(from: DataView, at: number): Row;
}

/** Sizes are stored with eight decimals, which leaves room for billions. */
const SIZE_UNIT = 100n;
const sizeToBytes = (size: bigint): bigint => (size + SIZE_UNIT / 2n) / SIZE_UNIT;

export const candleRows: RowCodec<RecordedCandle> = {
  bytes: 48,
  write(to, at, { at: time, open, high, low, close, size }) {
    to.setFloat64(at, time);
    to.setBigInt64(at + 8, open);
    to.setBigInt64(at + 16, high);
    to.setBigInt64(at + 24, low);
    to.setBigInt64(at + 32, close);
    to.setBigInt64(at + 40, sizeToBytes(size));
  },
  read: (from, at) => ({
    at: from.getFloat64(at),
    open: from.getBigInt64(at + 8),
    high: from.getBigInt64(at + 16),
    low: from.getBigInt64(at + 24),
    close: from.getBigInt64(at + 32),
    size: from.getBigInt64(at + 40) * SIZE_UNIT,
  }),
};

/** The size of a sale is negative. */
export const tradeRows: RowCodec<RecordedTrade> = {
  bytes: 24,
  write(to, at, { at: time, price, size, buys }) {
    to.setFloat64(at, time);
    to.setBigInt64(at + 8, price);
    const kept = sizeToBytes(size);
    // A trade of any size counts at least one unit.
    const some = kept === 0n ? 1n : kept;
    to.setBigInt64(at + 16, buys ? some : -some);
  },
  read(from, at) {
    const size = from.getBigInt64(at + 16) * SIZE_UNIT;
    return {
      at: from.getFloat64(at),
      price: from.getBigInt64(at + 8),
      size: size < 0n ? -size : size,
      buys: size > 0n,
    };
  },
};
