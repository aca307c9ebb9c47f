/** Audits live withdrawals, and the reserves that must cover them. */
import { type Amount, moneyText, plus, plusLarge, ZERO_AMOUNT } from '../../kernel/money.ts';
import { changeSum, holdOf, isOutgoing } from '../derived/derived.ts';
import type { State } from '../state/state.ts';
import { heldByHouse, netDeposits } from './reserves.ts';

const sumsDiffer = (
  left: ReadonlyMap<string, Amount>,
  right: ReadonlyMap<string, Amount>,
): boolean => left.size !== right.size || [...left].some(([key, sum]) => right.get(key) !== sum);

function sumFaults({ withdrawals: { live, held, outgoing } }: State): string[] {
  const expectedHeld = new Map<string, Amount>();
  const expectedOutgoing = new Map<string, Amount>();
  for (const withdrawal of live.values()) {
    const { uid, coin, sent } = withdrawal.row;
    changeSum(expectedHeld, `${uid} ${coin}`, holdOf(withdrawal.row));
    if (isOutgoing(withdrawal)) changeSum(expectedOutgoing, coin, sent);
  }
  const flat = new Map(
    [...held].flatMap(([uid, coins]) =>
      [...coins].map(([coin, sum]) => [`${uid} ${coin}`, sum] as const),
    ),
  );
  return [
    ...(sumsDiffer(flat, expectedHeld) ? ['the holds of withdrawals differ from their sum'] : []),
    ...(sumsDiffer(outgoing, expectedOutgoing)
      ? ['the released withdrawals differ from their sum']
      : []),
  ];
}

function rowFaults({ withdrawals: { live, names }, accounts, nextId }: State): string[] {
  const faults: string[] = [];
  for (const [id, { row, progress }] of live) {
    const { uid, clientOid, orderId, size, sent, fee } = row;
    if (id !== orderId || id >= nextId) faults.push(`withdrawal ${id} has a wrong id`);
    if (!accounts.has(uid)) faults.push(`withdrawal ${id} has no account`);
    if (names.get(`${uid}:${clientOid}`)?.orderId !== id)
      faults.push(`withdrawal ${id} is not found by its client id`);
    if (sent <= 0n || fee < 0n || (size !== sent && size !== plus(sent, fee)))
      faults.push(`withdrawal ${id} does not add up`);
    if (
      (progress.askedAt === undefined) ===
      (progress.stage === 'asked' || progress.stage === 'confirming')
    )
      faults.push(`withdrawal ${id} has a stage that differs from its broadcast time`);
    const isReleased = progress.stage !== 'approval';
    if (isReleased !== progress.approvals.length >= row.approvalsNeeded)
      faults.push(`withdrawal ${id} has a stage that differs from its approvals`);
  }
  return faults;
}

/** A known reserve covers what users own, and holdings cover the released withdrawals. */
function reserveFaults(state: State): string[] {
  const { reserves, outgoing } = state.withdrawals;
  const faults: string[] = [];
  for (const [coin, reserve] of reserves) {
    const { owed } = solvencyOf(state, coin);
    if (owed > reserve)
      faults.push(`${moneyText(owed)} ${coin} is owed and ${moneyText(reserve)} is held`);
  }
  for (const [coin, sum] of outgoing)
    if (sum > heldByHouse(state, coin))
      faults.push(`${moneyText(sum)} ${coin} is released, which is more than the house holds`);
  return faults;
}

export const auditWithdrawals = (state: State): readonly string[] => [
  ...sumFaults(state),
  ...rowFaults(state),
  ...reserveFaults(state),
];

/** The holdings of the house in a coin, and what users own of it without loans. */
export function solvencyOf(
  state: State,
  coin: string,
): { readonly held: Amount; readonly owed: Amount } {
  let owed = state.ledger.house.get(coin)?.borrowPool ?? ZERO_AMOUNT;
  for (const wallets of state.ledger.wallets.values()) {
    const wallet = wallets.get(coin);
    if (wallet === undefined) continue;
    for (const amount of Object.values(wallet)) owed = plusLarge(owed, amount);
  }
  return { held: state.withdrawals.reserves.get(coin) ?? netDeposits(state, coin), owed };
}
