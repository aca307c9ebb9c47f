import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteReader, ByteWriter, MalformedBytes } from '../kernel/bytes.ts';
import type { DecimalText } from '../kernel/decimal-text.ts';
import type { ClientOid, Id, Uid } from '../kernel/ids.ts';
import { readCommand, writeCommand } from './command-codec.ts';
import type { Command } from './commands.ts';
import {
  CATEGORIES,
  LOAN_TYPES,
  MARGIN_MODES,
  ORDER_TYPES,
  POSITION_SIDES,
  SELF_TRADE_MODES,
  SIDES,
  TIMES_IN_FORCE,
} from './vocabulary.ts';

function bytesOf(command: Command): Buffer {
  const writer = new ByteWriter(1);
  writeCommand(writer, command);
  return Buffer.from(writer.view());
}

function read(bytes: Buffer): Command {
  const reader = new ByteReader(bytes);
  const command = readCommand(reader);
  reader.expectEnd();
  return command;
}

const textBytes = (text: string): number[] => [Buffer.byteLength(text), ...Buffer.from(text)];

const ifAny = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const oneOf = <Value>(values: readonly Value[]) => fc.constantFrom(...values);
const uid = fc.maxSafeNat() as fc.Arbitrary<number> as fc.Arbitrary<Uid>;
const id = fc.maxSafeNat() as fc.Arbitrary<number> as fc.Arbitrary<Id>;
const decimal = fc.stringMatching(
  /^\d{1,5}(\.\d{1,5})?$/,
) as fc.Arbitrary<string> as fc.Arbitrary<DecimalText>;
const clientOid = fc.string({
  unit: 'grapheme',
  maxLength: 80,
}) as fc.Arbitrary<string> as fc.Arbitrary<ClientOid>;

const draft = fc.record({
  symbol: fc.string(),
  side: oneOf(SIDES),
  orderType: oneOf(ORDER_TYPES),
  size: decimal,
  price: ifAny(decimal),
  timeInForce: oneOf(TIMES_IN_FORCE),
  positionSide: ifAny(oneOf(POSITION_SIDES)),
  clientOid: ifAny(clientOid),
  selfTradeMode: ifAny(oneOf(SELF_TRADE_MODES)),
  reduceOnly: fc.boolean(),
  marginMode: ifAny(oneOf(MARGIN_MODES)),
  loanType: ifAny(oneOf(LOAN_TYPES)),
});
const placing = fc.record({
  type: fc.constant('placeOrders' as const),
  uid,
  category: oneOf(CATEGORIES),
  orders: fc.array(draft),
});
const name = fc.record({ orderId: ifAny(id), clientOid: ifAny(clientOid) });
const cancelling = fc.record({
  type: fc.constant('cancelOrders' as const),
  uid,
  orders: fc.array(name),
});
const market = fc.record({
  category: oneOf(CATEGORIES),
  symbol: ifAny(fc.string()),
  marginCoin: ifAny(fc.string()),
  isolated: ifAny(fc.boolean()),
});
const cancellingIn = fc.record({
  type: fc.constant('cancelOrders' as const),
  uid,
  orders: fc.array(name),
  market,
});

describe('commands with field-by-field codecs', () => {
  test('[CLK-11] decoding returns what was encoded', () => {
    fc.assert(
      fc.property(fc.oneof(placing, cancelling, cancellingIn), (command) => {
        expect(read(bytesOf(command))).toEqual(command);
      }),
    );
  });

  test('[CLK-11] the bytes are those of the tables, in table order', () => {
    const order = {
      symbol: 'BTCUSDT',
      side: SIDES[1],
      orderType: ORDER_TYPES[1],
      size: '0.5' as DecimalText,
      price: '60000' as DecimalText,
      timeInForce: TIMES_IN_FORCE[2],
      positionSide: POSITION_SIDES[1],
      clientOid: 'mine' as ClientOid,
      selfTradeMode: SELF_TRADE_MODES[2],
      reduceOnly: true,
      marginMode: MARGIN_MODES[1],
      loanType: LOAN_TYPES[2],
    };
    const orderBytes = [
      ...[...textBytes('BTCUSDT'), 1, 1, ...textBytes('0.5'), 1, ...textBytes('60000'), 2],
      ...[1, 1, 1, ...textBytes('mine'), 1, 2, 1, 1, 1, 1, 2],
    ];
    expect([
      ...bytesOf({
        type: 'placeOrders',
        uid: 300 as Uid,
        category: CATEGORIES[3],
        orders: [order],
      }),
    ]).toEqual([...[17, 0xac, 0x02, 3, 1], ...orderBytes]);
    const names = [{ orderId: 5 as Id }, { clientOid: 'é' as ClientOid }];
    expect([...bytesOf({ type: 'cancelOrders', uid: 1 as Uid, orders: names })]).toEqual([
      18,
      1,
      2,
      1,
      5,
      0,
      0,
      1,
      ...textBytes('é'),
    ]);
  });

  test('[CLK-11] bytes that end early are refused', () => {
    fc.assert(
      fc.property(fc.oneof(placing, cancelling), fc.nat(), (command, cut) => {
        const bytes = bytesOf(command);
        expect(() => read(bytes.subarray(0, cut % bytes.length))).toThrow(MalformedBytes);
      }),
    );
  });
});
