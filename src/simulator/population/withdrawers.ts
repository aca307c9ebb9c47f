/** Money on its way out of a simulated exchange: users who withdraw and transfer, a desk that decides, a chain that answers as it likes. */
import { broughtIn } from '../../core/withdrawals/reserves.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { ClientOid, Id, Uid } from '../../kernel/ids.ts';
import { type Amount, moneyText } from '../../kernel/money.ts';
import type { Chain } from '../../messages/listings.ts';
import { CHAIN_SIGHTINGS, WITHDRAWAL_DECISIONS, type WithdrawalStage } from '../../messages/vocabulary.ts';
import type { Act, Acts, Scene } from './trading.ts';

const OPERATORS = ['ann', 'ben'] as const;
const NAMES = 200;
const decimal = (text: string): DecimalText => text as DecimalText;

/** Somebody who has something, a coin of his, and a part of what he has of it or a little too much. */
function wish({ random, state, crowd }: Scene): { readonly uid: Uid; readonly coin: string; readonly size: DecimalText } {
  const uid = random.pick(crowd.everybody);
  const owned = [...(state.ledger.wallets.get(uid) ?? [])];
  const [coin, wallet] = owned.length === 0 ? ['USDT', undefined] : random.pick(owned);
  const part = BigInt(1 + random.below(1_050));
  const amount = ((wallet?.available ?? 0n) * part) / 1_000n;
  // Eight decimals, as most chains take them; now and then more.
  const size = random.below(20) === 0 ? amount : amount - (amount % 100n);
  return { uid, coin, size: decimal(moneyText(size as Amount)) };
}

const name = ({ random }: Scene): { clientOid?: ClientOid } =>
  random.below(3) === 0 ? { clientOid: `w-${random.below(NAMES)}` as ClientOid } : {};

/** What the border would have found out about an address of the chain. */
const found = ({ addressKind }: Chain, { random, at }: Scene) => ({
  addressKind,
  ...(addressKind === 'lightning'
    ? { invoice: { paymentHash: `hash-${random.below(500)}`, amount: decimal('0.001'), expiresAt: at } }
    : {}),
});

const withdraw: Act = (scene) => {
  const { random, state } = scene;
  const { uid, coin, size } = wish(scene);
  const chains = state.coins.get(coin)?.chains ?? [];
  const chain = chains.length === 0 || random.below(30) === 0 ? undefined : random.pick(chains);
  const said = chain === undefined ? {} : { chain: chain.chain, ...(random.below(30) === 0 ? {} : found(chain, scene)) };
  const tag = chain?.needsTag === true && random.below(10) > 0 ? { tag: String(random.below(1_000)) } : {};
  return { type: 'requestWithdrawal', uid, coin, size, address: 'somewhere', ...said, ...tag, ...name(scene) };
};

const transfer: Act = (scene) => {
  const { random, crowd } = scene;
  const recipient = random.below(20) === 0 ? 'nobody' : `${random.pick(crowd.everybody)}`;
  return { type: 'transferToUser', ...wish(scene), recipientKind: 'uid', recipient, ...name(scene) };
};

/** One that has not ended, mostly one whose turn it is; or one that never was. */
function someOrder({ random, state }: Scene, ...turns: WithdrawalStage[]): Id {
  const live = [...state.withdrawals.live.values()];
  const inTurn = random.below(8) === 0 ? live : live.filter(({ progress }) => turns.includes(progress.stage));
  return inTurn.length === 0 || random.below(30) === 0 ? (random.below(1_000) as Id) : random.pick(inTurn).row.orderId;
}

const decide: Act = (scene) => ({
  type: 'decideWithdrawal',
  orderId: someOrder(scene, 'approval'),
  decision: scene.random.pick(['approve', 'approve', 'approve', ...WITHDRAWAL_DECISIONS]),
  operator: scene.random.pick(OPERATORS),
});

const ask: Act = (scene) => ({ type: 'askChain', orderId: someOrder(scene, 'released') });

const report: Act = (scene) => {
  const { random } = scene;
  const orderId = someOrder(scene, 'asked', 'confirming');
  const confirmations = random.below(40);
  return { type: 'reportChain', orderId, sighting: random.pick(['confirmed', ...CHAIN_SIGHTINGS]), hash: `hash-${orderId}`, confirmations };
};

const cancel: Act = (scene) => {
  const { random, state, crowd } = scene;
  const orderId = someOrder(scene, 'approval', 'released');
  const owner = state.withdrawals.live.get(orderId)?.row.uid ?? random.pick(crowd.everybody);
  return { type: 'cancelWithdrawal', uid: random.below(4) === 0 ? random.pick(crowd.everybody) : owner, orderId };
};

/** On again three times out of four, or nothing would ever leave. */
const switchCoin: Act = ({ random, state }) => ({
  type: 'switchWithdrawals',
  coin: random.pick([...state.coins.keys()]),
  on: random.below(4) > 0,
  operator: random.pick(OPERATORS),
});

/** What the house says it holds is what it owes and a little more; a house that holds less is found by the audit. */
const tellReserve: Act = ({ random, state }) => {
  const coin = random.pick([...state.coins.keys()]);
  const more = BigInt(100 + random.below(20));
  const amount = decimal(moneyText(((broughtIn(state, coin) * more) / 100n) as Amount));
  return { type: 'setReserve', coin, operator: random.pick(OPERATORS), ...(random.below(3) === 0 ? { amount } : {}) };
};

export const WITHDRAWALS: Acts = {
  withdraw: [2, withdraw],
  transfer: [1.5, transfer],
  decideWithdrawal: [0.8, decide],
  askChain: [2, ask],
  reportChain: [2.5, report],
  cancelWithdrawal: [0.2, cancel],
  switchWithdrawals: [0.1, switchCoin],
  tellReserve: [0.1, tellReserve],
};
