/** Rows of deposits, withdrawals, ledger lines and operator acts. */
import type { WithdrawalProgress, WithdrawalRow } from '../../src/messages/withdrawals.ts';
import type { EmittedEvents } from './recorded-run.ts';
import { decimals, eventsOf, paid, type Row, wireId } from './row.ts';

export interface WithdrawalState {
  readonly row: WithdrawalRow;
  progress: WithdrawalProgress;
  status: 'pending' | 'success' | 'fail';
  failure: string | null;
  readonly createdAt: number;
  updatedAt: number;
}

export function withdrawalStates(emitted: readonly EmittedEvents[]): readonly WithdrawalState[] {
  const runs = new Map<number, WithdrawalState>();
  for (const { event, at } of emitted) {
    if (event.type === 'withdrawalRequested') {
      const { withdrawal: row, progress } = event;
      runs.set(row.orderId, {
        row,
        progress,
        status: 'pending',
        failure: null,
        createdAt: at,
        updatedAt: at,
      });
    }
    if (event.type === 'withdrawalMoved')
      Object.assign(runs.get(event.orderId)!, { progress: event.progress, updatedAt: at });
    if (event.type !== 'withdrawalEnded') continue;
    const { orderId, status, failure = null, confirmations, hash } = event.end;
    const run = runs.get(orderId)!;
    const progress = { ...run.progress, confirmations, ...(hash === undefined ? {} : { hash }) };
    Object.assign(run, {
      progress,
      failure,
      status: status === 'completed' ? 'success' : 'fail',
      updatedAt: at,
    });
  }
  return [...runs.values()];
}

/** Without the house address, which no event contains. */
const withdrawal = ({ row, progress, status, createdAt, updatedAt }: WithdrawalState) => {
  const internal = row.route === 'internal';
  return {
    orderId: wireId(row.orderId),
    clientOid: row.clientOid,
    recordId: internal ? wireId(row.orderId) : (progress.hash ?? ''),
    type: 'withdraw',
    coin: row.coin,
    dest: internal ? 'internal_transfer' : 'on_chain',
    size: decimals(row.size),
    status,
    ...(internal ? { fromAddress: String(row.uid) } : {}),
    toAddress: row.toAddress,
    chain: row.chain,
    fee: decimals(row.fee),
    confirm: String(progress.confirmations),
    tag: row.tag,
    createdTime: String(createdAt),
    updatedTime: String(updatedAt),
  };
};

/** WDR-42. */
const classicNames = ({
  recordId: tradeId,
  createdTime: cTime,
  updatedTime: uTime,
  ...shown
}: Readonly<Record<string, unknown>>) => ({
  ...shown,
  tradeId,
  cTime,
  uTime,
});

const WAITING: Readonly<Record<string, string>> = {
  approval: 'approval',
  released: 'broadcast',
  asked: 'broadcast',
  confirming: 'confirmations',
};

export const withdrawalTexts = {
  unified: withdrawal,
  classic: (run: WithdrawalState) => ({ ...classicNames(withdrawal(run)), fee: paid(run.row.fee) }),
  desk: (run: WithdrawalState) => ({
    ...withdrawal(run),
    uid: String(run.row.uid),
    waitingFor: run.status === 'pending' ? WAITING[run.progress.stage] : null,
    approvals: run.progress.approvals,
    approvalsNeeded: run.row.approvalsNeeded,
    remark: run.row.remark ?? '',
    failure: run.failure,
  }),
};

export const withdrawalRows = (
  runs: readonly WithdrawalState[],
  shownAs: (run: WithdrawalState) => Row['shown'],
): readonly Row[] =>
  runs.map((run) => ({
    id: run.row.orderId,
    time: run.createdAt,
    is: {
      coin: run.row.coin,
      orderId: wireId(run.row.orderId),
      clientOid: run.row.clientOid,
      status: run.status,
      uid: String(run.row.uid),
    },
    get shown() {
      return shownAs(run);
    },
  }));

export const depositRows = (
  emitted: readonly EmittedEvents[],
  uid: number,
  classic: boolean,
): readonly Row[] =>
  eventsOf(emitted, 'depositCredited')
    .filter(({ event }) => event.uid === uid)
    .map(({ event: { orderId, coin, amount, clientOid, transfer, arrival, origin }, at }) => {
      const shown = {
        orderId: wireId(orderId),
        clientOid,
        recordId: arrival?.recordId ?? wireId(orderId),
        type: 'deposit',
        coin,
        dest: transfer === undefined ? 'on_chain' : 'internal_transfer',
        size: decimals(amount),
        status: 'success',
        ...transfer,
        ...(arrival === undefined ? {} : { toAddress: arrival.toAddress }),
        chain: arrival?.chain ?? origin?.chain ?? '',
        createdTime: String(at),
        updatedTime: String(at),
      };
      const is = { coin, orderId: wireId(orderId), clientOid };
      return { id: orderId, time: at, is, shown: classic ? classicNames(shown) : shown };
    });

export const ledgerRows = (emitted: readonly EmittedEvents[]): readonly Row[] =>
  eventsOf(emitted, 'entryPosted').flatMap(({ event: { reason, lines }, at, sequence }) =>
    lines.map(({ id, uid, coin, account, amount, balance }) => ({
      id,
      time: at,
      is: { uid: uid === undefined ? undefined : String(uid), coin },
      get shown() {
        return {
          id: wireId(id),
          time: String(at),
          uid: uid === undefined ? null : String(uid),
          coin,
          account,
          amount: decimals(amount),
          balance: decimals(balance),
          reason,
          sequence,
        };
      },
    })),
  );

export const actRows = (emitted: readonly EmittedEvents[]): readonly Row[] =>
  eventsOf(emitted, 'operatorActed').map(
    ({ event: { actId, operator, act, orderId, uid, coin, detail }, at, sequence }) => ({
      id: actId,
      time: at,
      is: { operator, coin, orderId: orderId === undefined ? undefined : wireId(orderId) },
      shown: {
        id: wireId(actId),
        time: String(at),
        operator,
        act,
        orderId: orderId === undefined ? null : wireId(orderId),
        uid: uid === undefined ? null : String(uid),
        coin: coin ?? null,
        detail: detail ?? null,
        sequence,
      },
    }),
  );

const HOURS_PER_DAY = 24n;

/** Hourly interest of wallet loans, and of pair loans with a symbol (ACC-39). */
export const interestRows = (emitted: readonly EmittedEvents[], caller: number): readonly Row[] =>
  eventsOf(emitted, 'interestCharged')
    .filter(({ event }) => event.uid === caller)
    .map(({ event: { chargeId, coin, symbol, rate, amount }, at }) => ({
      id: chargeId,
      time: at,
      is: { coin, symbol },
      shown: {
        interestId: wireId(chargeId),
        loanCoin: coin,
        interestCoin: coin,
        dailyInterestRate: decimals(rate * HOURS_PER_DAY),
        interestAmount: decimals(amount),
        interstType: 'scheduled',
        cTime: String(at),
        uTime: String(at),
        ...(symbol === undefined ? {} : { symbol }),
      },
    }));
