import { expect, test } from 'vitest';
import type { Id, Uid } from '../../kernel/ids.ts';
import { indexName, markName, StaleShares } from './copy-indexes.ts';

const [ann, ben, cid] = [1, 2, 3] as Uid[] as [Uid, Uid, Uid];

const [ETH, ETHUSDT, SOL] = [indexName('ETH'), markName('USDT-FUTURES:ETHUSDT'), indexName('SOL')];

/** Ann and Ben wait for ether, Cid for solana. */
function waiting(): StaleShares {
  const shares = new StaleShares();
  for (const [uid, id] of [
    [ann, 10],
    [ben, 11],
    [cid, 12],
  ] as const)
    shares.add(uid, id as Id);
  for (const uid of [ann, ben]) shares.waitFor(uid, [ETH, ETHUSDT]);
  shares.waitFor(cid, [SOL]);
  return shares;
}

test('[CPY-73] a price finds only the accounts that wait for it', () => {
  const shares = waiting();
  shares.update(indexName('BTC'));
  expect([shares.hasUpdates, shares.takeUpdated()]).toEqual([false, []]);
  shares.update(SOL);
  expect([shares.hasUpdates, shares.takeUpdated(), shares.hasUpdates]).toEqual([
    true,
    [cid],
    false,
  ]);
  shares.update(ETHUSDT);
  shares.update(ETH);
  expect(shares.takeUpdated()).toEqual([ann, ben]);
  shares.updateAll();
  expect(shares.takeUpdated()).toEqual([ann, ben, cid]);
});

test('[CPY-175] an account that waits for no price in particular is found by any price', () => {
  const shares = waiting();
  shares.add(ann, 13 as Id);
  shares.waitFor(ann, []);
  shares.changed(cid);
  shares.update(indexName('BTC'));
  expect(shares.takeUpdated()).toEqual([ann, cid]);
  shares.waitFor(ann, [SOL]);
  shares.waitFor(cid, [SOL]);
  shares.update(ETH);
  expect(shares.takeUpdated()).toEqual([ben]);
  shares.update(SOL);
  expect(shares.takeUpdated()).toEqual([ann, cid]);
});

test('[CPY-73] an account without waiting shares is found by no price', () => {
  const shares = waiting();
  shares.add(ann, 13 as Id);
  shares.update(ETH);
  shares.delete(ann, 10 as Id);
  shares.delete(ben, 11 as Id);
  expect([shares.takeUpdated(), [...shares.of(ann)], [...shares.of(ben)]]).toEqual([
    [ann],
    [13],
    [],
  ]);
  shares.delete(cid, 12 as Id);
  shares.changed(cid);
  shares.update(SOL);
  shares.updateAll();
  expect(shares.takeUpdated()).toEqual([ann]);
  shares.add(ben, 14 as Id);
  shares.update(indexName('BTC'));
  expect(shares.takeUpdated()).toEqual([ben]);
});
