/** Copy trading of the demo world: alice leads, and bob copies her orders at their size. */
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { Uid } from '../../kernel/ids.ts';
import { DEFAULT_INSTRUMENTS } from '../../listings/default-instruments.ts';
import type { CommandOf } from '../../messages/commands.ts';
import type { CopySetting } from '../../messages/copy-trading.ts';

/** Leaders and followers trade in hedge mode. */
export const DEMO_HEDGED: ReadonlySet<string> = new Set(['alice', 'bob']);

const copyAll = (category: 'USDT-FUTURES', symbol: string): CopySetting => ({
  category,
  symbol,
  margin: 'leader',
  leverage: 'leader',
  sizing: 'multiple',
  value: '1' as DecimalText,
});

export const demoLeader = (uid: Uid): CommandOf<'makeLeader'> => ({
  type: 'makeLeader',
  uid,
  profitShare: '0.1' as DecimalText,
});

export const demoFollower = (uid: Uid, leader: Uid): CommandOf<'setCopySettings'> => ({
  type: 'setCopySettings',
  uid,
  leader,
  mode: 'basic',
  autoCopy: true,
  settings: DEFAULT_INSTRUMENTS.flatMap(({ category, symbol }) =>
    category === 'USDT-FUTURES' ? [copyAll(category, symbol)] : [],
  ),
});
