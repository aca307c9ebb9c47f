/** Withdrawals, with acts of all parties: users, operators, the withdrawal sender and the chain. */
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { ClientOid, Id } from '../../kernel/ids.ts';
import type { Command } from '../../messages/commands.ts';
import type { Chain, Coin } from '../../messages/listings.ts';
import { CHAIN_SIGHTINGS, WITHDRAWAL_DECISIONS } from '../../messages/vocabulary.ts';
import { type Act, type Acts, type Scene, someone } from './trading.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

/** Sometimes a coin has no chain, or a request names a chain that the coin does not have. */
const someChain = (
  { random }: Scene,
  { chains }: Coin,
): Pick<Chain, 'chain' | 'addressKind' | 'needsTag'> =>
  chains.length === 0 || random.below(20) === 0
    ? { chain: 'NONE', addressKind: 'evm', needsTag: false }
    : random.pick(chains);

const withdraw: Act = (scene) => {
  const { random, state } = scene;
  const coin = random.pick([...state.coins.values()]);
  const chain = someChain(scene, coin);
  return {
    type: 'requestWithdrawal',
    uid: someone(scene, 'maker', 'taker', 'whale', 'hedger', 'borrower', 'attacker'),
    coin: coin.coin,
    size: decimal(random.pick(['0.01', '1', '12.5', '500', '20000', '900000', '5000000'])),
    chain: chain.chain,
    address: `address-${random.below(20)}`,
    ...(random.below(8) === 0 ? {} : { addressKind: chain.addressKind }),
    ...(chain.needsTag && random.below(4) > 0 ? { tag: '12345' } : {}),
    ...(random.below(3) === 0 ? { clientOid: `out-${random.below(60)}` as ClientOid } : {}),
  };
};

const send: Act = (scene) => {
  const { random, crowd } = scene;
  return {
    type: 'transferToUser',
    uid: random.pick(crowd.everyone),
    coin: random.pick(['USDT', 'USDC', 'BTC', 'NONE']),
    size: decimal(random.pick(['0.001', '3', '250', '999999999'])),
    recipientKind: 'uid',
    recipient: String(random.below(10) === 0 ? 1 : random.pick(crowd.everyone)),
    ...(random.below(3) === 0 ? { clientOid: `out-${random.below(60)}` as ClientOid } : {}),
  };
};

const someWithdrawal = ({ random, state }: Scene): Id => {
  const live = [...state.withdrawals.live.keys()];
  return live.length === 0 || random.below(12) === 0 ? (1 as Id) : random.pick(live);
};

const moveOn: Act = (scene) => {
  const { random, state } = scene;
  const orderId = someWithdrawal(scene);
  const hash = `hash-of-${orderId}`;
  const owner = state.withdrawals.live.get(orderId)?.row.uid ?? someone(scene, 'attacker');
  return random.pick<Command>([
    { type: 'askChain', orderId },
    { type: 'askChain', orderId },
    {
      type: 'reportChain',
      orderId,
      sighting: random.pick(CHAIN_SIGHTINGS),
      hash,
      confirmations: random.below(30),
    },
    { type: 'reportChain', orderId, sighting: 'sent', hash, confirmations: random.below(30) },
    { type: 'reportChain', orderId, sighting: 'confirmed', hash, confirmations: 100 },
    {
      type: 'decideWithdrawal',
      orderId,
      decision: random.pick(WITHDRAWAL_DECISIONS),
      operator: random.pick(['ann', 'ben']),
      hash,
    },
    { type: 'cancelWithdrawal', uid: owner, orderId },
  ]);
};

/** Open again four times out of five. */
const stopCoin: Act = ({ random }) => ({
  type: 'switchWithdrawals',
  coin: random.pick(['USDT', 'BTC']),
  on: random.below(5) > 0,
  operator: 'ann',
});

export const MONEY_OUT: Acts = {
  withdraw: [2, withdraw],
  send: [2, send],
  moveOn: [5, moveOn],
  stopCoin: [0.1, stopCoin],
};
