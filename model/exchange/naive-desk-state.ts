/** What the naive desk knows: plain lists, of which nothing is ever forgotten. */
import { UNIT, units } from './whole-units.ts';

export interface DeskWallet {
  available: bigint;
  locked: bigint;
  margin: bigint;
  /** In pairs of isolated margin, free and held. */
  apart: bigint;
}

export interface DeskUser {
  readonly uid: number;
  readonly master: number;
  /** Places in the list of levels: what the operator gave him, and what he has. */
  readonly given: number;
  level: number;
  readonly email: string | undefined;
  /** Area code and number, digits only. */
  readonly mobile: string | undefined;
  readonly wallets: Record<string, DeskWallet>;
  /** What he owes of each coin, and what of it is interest. */
  readonly debts: Record<string, { loan: bigint; interest: bigint; kept: bigint }>;
  /** What pairs owe, by `symbol coin`. */
  readonly pairDebts: Record<string, { loan: bigint; interest: bigint }>;
}

export interface DeskChain {
  readonly name: string;
  readonly kind: string;
  readonly needsTag: boolean;
  readonly open: boolean;
  readonly fee: bigint;
  readonly min: bigint;
  readonly step: bigint;
  readonly decimals: number;
  readonly confirmations: number;
}

export interface DeskCoin {
  readonly name: string;
  readonly collateral: bigint;
  readonly automatic: bigint;
  readonly single: bigint;
  readonly second: bigint;
  readonly house: bigint | undefined;
  /** By level, where it differs from the table. */
  readonly daily: Readonly<Record<string, bigint>>;
  readonly chains: readonly DeskChain[];
}

export type Stage = 'approval' | 'released' | 'asked' | 'confirming' | 'completed' | 'failed';

export interface DeskOrder {
  /** As the engine has called it. */
  id: number;
  clientOid: string;
  readonly uid: number;
  readonly content: string;
  readonly coin: string;
  readonly chain: string;
  readonly size: bigint;
  readonly fee: bigint;
  readonly sent: bigint;
  /** All that is held for it. */
  readonly held: bigint;
  readonly usd: bigint | undefined;
  readonly at: number;
  /** It went out by itself. */
  readonly automatic: boolean;
  readonly approvalsNeeded: number;
  readonly confirmationsNeeded: number;
  readonly recipient: number | undefined;
  readonly paymentHash: string | undefined;
  stage: Stage;
  approvals: string[];
  confirmations: number;
  hash: string | undefined;
  failure: string | undefined;
}

export const LEVEL_NAMES = [
  'VIP0',
  'VIP1',
  'VIP2',
  'VIP3',
  'VIP4',
  'VIP5',
  'VIP6',
  'VIP7',
  'PRO1',
  'PRO2',
  'PRO3',
  'PRO4',
  'PRO5',
  'PRO6',
];
const MILLIONS = [3n, 4n, 6n, 8n, 10n, 12n, 15n, 20n];
/** In USD, by place in the list of levels. */
export const dailyLimit = (coin: DeskCoin, level: number): bigint =>
  coin.daily[LEVEL_NAMES[level]!] ?? (MILLIONS[level] ?? 20n) * 1_000_000n * UNIT;

export const ENDED: readonly Stage[] = ['completed', 'failed'];
export const isLive = ({ stage }: DeskOrder): boolean => !ENDED.includes(stage);

export const walletOf = (user: DeskUser, coin: string): DeskWallet => {
  user.wallets[coin] ??= { available: 0n, locked: 0n, margin: 0n, apart: 0n };
  return user.wallets[coin];
};

/** How many decimals somebody has said, zeros at the end aside. */
export const decimalsOf = (text: string): number =>
  (text.split('.')[1] ?? '').replace(/0+$/, '').length;

/** All that a user can have of a coin where it can be refused. */
export const MOST = units('922337203.6854775807');
export const total = (user: DeskUser, coin: string): bigint => {
  const { available, locked, margin, apart } = walletOf(user, coin);
  return available + locked + margin + apart;
};

/** By himself and by his pairs. */
export function borrowed({ debts, pairDebts }: DeskUser, coin: string): bigint {
  const pairs = Object.keys(pairDebts).filter((name) => name.endsWith(` ${coin}`));
  return pairs.reduce((sum, name) => sum + pairDebts[name]!.loan, debts[coin]?.loan ?? 0n);
}
