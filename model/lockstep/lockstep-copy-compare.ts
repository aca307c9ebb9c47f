/** Translates the engine's tracked orders into the words of the naive exchange. */

import { leverageOf, settingOf } from '../../src/core/derived/account-context.ts';
import type { Engine, Executed } from '../../src/core/engine.ts';
import type { Id, Uid } from '../../src/kernel/ids.ts';
import { modeOf, leverageOf as naiveLeverageOf } from '../exchange/naive-modes.ts';
import type { NaiveUser } from '../exchange/naive-state.ts';
import type { NaiveCopying } from '../exchange/naive-tracking.ts';
import { shown, UNIT } from '../exchange/whole-units.ts';
import { same } from './lockstep-compare.ts';
import { COPY_FUTURES } from './lockstep-copy-world.ts';

export function compareTracked({ state }: Engine, copying: NaiveCopying, ids: readonly Id[]): void {
  const open = [...state.copy.tracked.values()].filter(({ lots }) => lots > 0).map(({ id }) => id);
  same(
    'tracked orders',
    open,
    copying.open().map(({ number }) => ids[number]),
  );
  for (const {
    number,
    size,
    cost,
    profit,
    opened,
    closeFee,
    takeProfit,
    stopLoss,
    held,
    base,
    original,
    instrument,
    target,
  } of copying.open()) {
    const own = state.copy.tracked.get(ids[number]!)!;
    const sizeOf = (lots: number): bigint => BigInt(lots) * instrument.lot;
    // A complete close needs no share.
    const ofCopy = target === 0n ? [] : [base.size, base.leader];
    const engineBase =
      own.kind === 'original' || target === 0n
        ? []
        : [sizeOf(own.base.lots), sizeOf(own.base.leaderLots)];
    const shares = own.kind === 'original' ? [sizeOf(own.heldLots)] : engineBase;
    same(
      `tracked order ${number}`,
      [
        own.entry.size,
        own.entry.cost,
        own.profit,
        own.openFee,
        own.closeFee,
        own.takeProfit,
        own.stopLoss,
        ...shares,
      ],
      [
        size,
        cost,
        profit,
        opened.fee,
        closeFee,
        takeProfit,
        stopLoss,
        ...(original === undefined ? [held] : ofCopy),
      ],
    );
    same(
      `what has to be closed of ${number}`,
      [sizeOf(own.target ?? own.lots)],
      [target < size ? target : size],
    );
  }
}

const SIDES = ['long', 'short'] as const;

/** Compares margin mode and leverage, which copies may change. */
export function compareSettings(
  { state }: Engine,
  users: readonly NaiveUser[],
  uids: readonly Uid[],
): void {
  for (const user of users) {
    const account = state.accounts.get(uids[user.name]!)!;
    for (const instrument of COPY_FUTURES) {
      const { category, symbol } = instrument;
      const key = `${category}:${symbol}`;
      const [long, short] = SIDES.map((side) => leverageOf(state, account, key, side));
      const naive = SIDES.map((side) => naiveLeverageOf(user, instrument, side));
      const { isolated } = user.settings[symbol]!;
      same(
        symbol,
        [settingOf(state, account, key).marginMode, long, short],
        [modeOf(isolated), ...naive.map(leverageText)],
      );
    }
  }
}

const leverageText = (leverage: bigint): string => `${leverage / UNIT}`;

export function engineEmitted(events: Executed['events'], uids: readonly Uid[]): string[] {
  const emitted: string[] = [];
  for (const event of events) {
    if (event.type === 'orderNotCopied') {
      const { follower, size, leader, reason } = event.missed;
      emitted.push(
        `${follower === undefined ? 'none' : uids.indexOf(follower)} missed ${size} of ${uids.indexOf(leader)}: ${reason}`,
      );
    }
    if (event.type !== 'trackedOrderEnded') continue;
    const { uid, openSize, profit, openFee, closeFee } = event.order;
    emitted.push(
      `${uids.indexOf(uid)} ended ${shown(openSize)} ${shown(profit)} ${shown(openFee + closeFee)} ${shown(event.share)}`,
    );
  }
  return emitted;
}
