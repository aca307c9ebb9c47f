import { expect, test } from 'vitest';
import { CopyMarket, setting } from './copy-market.test-support.ts';

test('smoke', () => {
  const market = new CopyMarket();
  const alice = market.leader();
  const bob = market.follower(alice, { settings: [setting({ value: '0.2' })] });
  const carl = market.follower(alice, { settings: [setting({ sizing: 'amount', value: '500' })] });
  const dan = market.follower(alice, { settings: [setting({ sizing: 'size', value: '0.1' })] }, '10');
  expect(market.open(alice, 'long', '0.5')).toBe('accepted');
  console.log(market.sizes(alice), market.sizes(bob), market.sizes(carl), market.sizes(dan), market.missed());
  market.check();
  market.quote('51000');
  market.check();
  expect(market.close(alice, 'long', '0.25')).toBe('accepted');
  console.log(market.sizes(alice), market.sizes(bob), market.sizes(carl), market.missed());
  market.check();
  expect(market.close(alice, 'long', '0.25')).toBe('accepted');
  console.log(market.sizes(alice), market.sizes(bob), market.ended(bob), market.ended(carl), market.ended(alice));
  market.check();
  market.checkReplay();
});
