/** The commands in the golden journal, as they were given when it was written. */
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import type { Timestamp } from '../../src/kernel/time.ts';
import type { Command } from '../../src/messages/commands.ts';
import { depositOf } from './counter-machine.ts';

const uid = 1_000_000_001 as Uid;
const decimal = (text: string): DecimalText => text as DecimalText;

export const GOLDEN_COMMANDS: readonly Command[] = [
  { type: 'tick' },
  depositOf('1000.5', 'USDT', 'first'),
  depositOf('0.00000001', 'BTC'),
  {
    type: 'createKey',
    uid,
    apiKey: 'key',
    sealedSecret: 'sealed',
    passphraseHash: 'hash',
    permissions: ['uta_trade.write', 'copy.read'],
    addresses: ['127.0.0.1'],
  },
  { type: 'moveClock', wall: 1_700_000_000_000 as Timestamp, advanceMs: 86_400_000 },
  { type: 'setPositionMode', uid, positionMode: 'hedge' },
  { type: 'setLeverage', uid, category: 'USDT-FUTURES', symbol: 'BTCUSDT', leverage: decimal('20'), side: 'long' },
  { type: 'setInstrumentStatus', category: 'SPOT', symbol: 'ETHBTC', status: 'halted' },
  {
    type: 'setPrices',
    prices: [{ category: 'USDT-FUTURES', symbol: 'BTCUSDT', index: decimal('60000.1'), releaseMark: false, force: true }],
  },
  { type: 'switchMarket', on: true },
  { type: 'revokeKey', apiKey: 'key' },
  depositOf('7', 'ÄÖ – 中', 'last'),
];
