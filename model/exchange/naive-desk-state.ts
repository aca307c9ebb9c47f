/** State of the naive desk: plain lists that never shrink. */
import { UNIT, units } from './whole-units.ts';

export interface DeskWallet {
  available: bigint;
  locked: bigint;
  margin: bigint;
  /** Free and held money in pairs of isolated margin. */
  apart: bigint;
}

export interface DeskUser {
  readonly uid: number;
  readonly master: number;
  /** Indexes in the list of levels: set by the operator, and in effect. */
  readonly given: number;
  level: number;
  readonly email: string | undefined;
  /** Area code and number, digits only. */
  readonly mobile: string | undefined;
  readonly wallets: Record<string, DeskWallet>;
  /** Debt by coin, and the interest in it. */
  readonly debts: Record<string, { loan: bigint; interest: bigint; margined: bigint }>;
  /** Debts of pairs, by `symbol coin`. */
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
  /** Limits by level that differ from the table. */
  readonly daily: Readonly<Record<string, bigint>>;
  readonly chains: readonly DeskChain[];
}

export type Stage = 'approval' | 'released' | 'asked' | 'confirming' | 'completed' | 'failed';

export interface DeskOrder {
  /** Id that the engine gave. */
  id: number;
  clientOid: string;
  readonly uid: number;
  readonly content: string;
  readonly coin: string;
  readonly chain: string;
  readonly size: bigint;
  readonly fee: bigint;
  readonly sent: bigint;
  /** Total amount on hold. */
  readonly held: bigint;
  readonly usd: bigint | undefined;
  readonly at: number;
  /** Released without an operator. */
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
/** In USD, by index in the list of levels. */
export const dailyLimit = (coin: DeskCoin, level: number): bigint =>
  coin.daily[LEVEL_NAMES[level]!] ?? (MILLIONS[level] ?? 20n) * 1_000_000n * UNIT;

export const ENDED: readonly Stage[] = ['completed', 'failed'];
export const isLive = ({ stage }: DeskOrder): boolean => !ENDED.includes(stage);

export const walletOf = (user: DeskUser, coin: string): DeskWallet => {
  user.wallets[coin] ??= { available: 0n, locked: 0n, margin: 0n, apart: 0n };
  return user.wallets[coin];
};

/** Number of decimals, without trailing zeros. */
export const decimalsOf = (text: string): number =>
  (text.split('.')[1] ?? '').replace(/0+$/, '').length;

/** Largest balance of a user in a coin, where a credit can be refused. */
export const MOST = units('922337203.6854775807');
export const total = (user: DeskUser, coin: string): bigint => {
  const { available, locked, margin, apart } = walletOf(user, coin);
  return available + locked + margin + apart;
};

/** Debts of the user and of the user's pairs. */
export function borrowed({ debts, pairDebts }: DeskUser, coin: string): bigint {
  const pairs = Object.keys(pairDebts).filter((name) => name.endsWith(` ${coin}`));
  return pairs.reduce((sum, name) => sum + pairDebts[name]!.loan, debts[coin]?.loan ?? 0n);
}
