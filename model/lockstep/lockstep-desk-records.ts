/** Compares the desk's lists with all withdrawals and deposits of the naive desk. */

import { type DeskOrder, isLive } from '../exchange/naive-desk-state.ts';
import { shown } from '../exchange/whole-units.ts';
import { same } from './lockstep-compare.ts';
import type { DeskLockstep } from './lockstep-desk.ts';

/** More rows than a stream has. */
const ALL = 100_000;

/** An order in one line. */
const line = ({
  id,
  uid,
  clientOid,
  coin,
  chain,
  size,
  fee,
  sent,
  stage,
  failure,
  confirmations,
  hash,
}: DeskOrder): string =>
  [
    id,
    uid,
    clientOid,
    coin,
    chain,
    shown(size),
    shown(fee),
    shown(sent),
    stage,
    failure,
    confirmations,
    hash,
  ].join(' ');

export async function compareRecords({ desk, views, history }: DeskLockstep): Promise<void> {
  const pending = views.withdrawals
    .pending()
    .map(({ row, progress: { stage, confirmations, hash } }) => {
      const { orderId: id, uid, clientOid, coin, chain, size, fee, sent } = row;
      return [
        id,
        uid,
        clientOid,
        coin,
        chain,
        shown(size),
        shown(fee),
        shown(sent),
        stage,
        undefined,
        confirmations,
        hash,
      ].join(' ');
    });
  same('pending', pending, desk.orders.filter(isLive).map(line));
  const rows = await history.endedWithdrawals({ limit: ALL });
  const ended = rows.map(
    ({ id, uid, clientOid, coin, chain, size, fee, sent, status, failure, confirmations, hash }) =>
      [
        id,
        uid,
        clientOid,
        coin,
        chain,
        shown(size),
        shown(fee),
        shown(sent),
        status,
        failure,
        confirmations,
        hash,
      ].join(' '),
  );
  const known = desk.orders.filter((order) => !isLive(order)).map(line);
  same('ended', ended.toSorted(), known.toSorted());
}
