/** Random requests to the desk, decisions of operators and reports of chains. */
import { given } from '../../src/kernel/given.ts';
import { type ClientOid, clientOidOf, type Id, type Uid } from '../../src/kernel/ids.ts';
import type { Timestamp } from '../../src/kernel/time.ts';
import {
  type AddressKind,
  CHAIN_SIGHTINGS,
  WITHDRAWAL_DECISIONS,
} from '../../src/messages/vocabulary.ts';
import { ask, decide, list, report } from '../exchange/naive-desk-acts.ts';
import { type DeskUser, dailyLimit } from '../exchange/naive-desk-state.ts';
import { mostThatLeaves } from '../exchange/naive-leaving.ts';
import { floor, max, shown, UNIT, units } from '../exchange/whole-units.ts';
import { DeskTraders } from './lockstep-desk-traders.ts';
import { changed, decimal, deskCoin, MOVED } from './lockstep-desk-world.ts';

const HOUR = 3_600_000;
/** The smallest step of a withdrawal. */
const STEP = 100n;

export class DeskStream extends DeskTraders {
  #hashes = 0;

  step(): void {
    const { random } = this;
    this.letTimePass();
    const roll = random.below(100);
    if (roll < 8) this.#deposit();
    else if (roll < 30) this.#withdraw();
    else if (roll < 37) this.#transfer();
    else if (roll < 38) this.#foresee();
    else if (roll < 41) this.#cancel();
    else if (roll < 52) this.#decide();
    else if (roll < 60) this.#ask();
    else if (roll < 72) this.#report();
    else if (roll < 74) this.#relist();
    else if (roll < 77) this.#switch();
    else if (roll < 79) this.#reserve();
    else if (roll < 80) this.join();
    else if (roll < 97) this.trades();
    else if (roll < 98) this.restart();
    else for (const coin of MOVED) this.compareMost(this.user(), coin);
  }

  #name(): string | undefined {
    const { random } = this;
    const roll = random.below(10);
    if (roll < 5) return undefined;
    // The id that the next order may get.
    if (roll === 5) return clientOidOf((this.engine.state.nextId + random.below(4)) as Id);
    return `n${random.below(10)}`;
  }

  #deposit(): void {
    const { random } = this;
    const coin = random.pick([...MOVED, 'USDT', 'NONE']);
    const size = random.pick([
      '0',
      '1',
      '1.0',
      '25',
      '100.00000000000',
      '0.0000000001',
      '0.00000000001',
      '3000',
      '20000',
      '922337203.6854775807',
    ]);
    this.credit(random.below(40) === 0 ? 5 : this.user().uid, coin, size, this.#name());
  }

  #size(user: DeskUser, coin: string): string {
    const { random } = this;
    const listed = this.desk.coins[coin] ?? this.desk.coins.USDT!;
    const chain = listed.chains[0];
    const index = coin === 'USDT' || coin === 'USDC' ? UNIT : (this.desk.indexes[coin] ?? UNIT);
    const inCoin = (usd: bigint): bigint => (usd < 0n ? 0n : floor(usd * UNIT, index));
    const left = dailyLimit(listed, user.level) - this.desk.usedToday(user.uid);
    const house = (listed.house ?? 0n) - this.desk.wentOut(listed.name);
    const edges = [listed.automatic, listed.single, listed.second, left, house, house].map(inCoin);
    edges.push(mostThatLeaves(this.accountOf(user), coin), chain?.min ?? 0n, chain?.fee ?? 0n);
    const roll = random.below(20);
    if (roll === 0)
      return random.pick(['0', '10.000000001', '10.123456789012', '12.345', '10.0000000000000']);
    if (roll < 9) {
      const edge = random.pick(edges);
      const near = edge - (edge % STEP) + STEP * BigInt(random.below(3) - 1);
      return shown(near < 0n ? 0n : near);
    }
    return shown(
      (inCoin(
        units((random.fraction() * random.pick([100, 600, 3_000])).toFixed(random.pick([0, 2]))),
      ) /
        STEP) *
        STEP,
    );
  }

  #withdraw(): void {
    const { random } = this;
    const user = this.user();
    const before = this.desk.orders.filter((order) => order.uid === user.uid && order.chain !== '');
    const repeated = before.length > 0 && random.below(12) === 0 ? random.pick(before) : undefined;
    const coin =
      repeated?.coin ??
      random.pick([...MOVED, 'USDT', 'USDT', random.below(20) === 0 ? 'NONE' : 'BTC']);
    const chains = this.desk.coins[coin]?.chains ?? [];
    const chain = chains.length === 0 ? undefined : random.pick(chains);
    let name =
      repeated?.chain ??
      (random.below(40) === 0 ? random.pick([undefined, 'NOWHERE']) : (chain?.name ?? 'TRC20'));
    name = name?.toUpperCase();
    const size = repeated && random.below(5) > 0 ? shown(repeated.size) : this.#size(user, coin);
    const isLightning = chain?.kind === 'lightning';
    const recipient = random.below(5) === 0 ? this.user().uid : undefined;
    // The gateway applies no address rules if the recipient is the sender.
    const kind = random.below(30) === 0 || recipient === user.uid ? undefined : chain?.kind;
    const paymentHash =
      random.below(6) === 0 ? `p${random.below(this.#hashes + 1)}` : `p${this.#hashes++}`;
    const invoice = isLightning
      ? {
          paymentHash,
          amount: random.below(20) === 0 ? random.pick([undefined, '0.1']) : size,
          expiresAt: this.desk.now + random.pick([1, 1, 1, 1_000, HOUR, HOUR, HOUR, 0, -1]),
        }
      : undefined;
    const tag =
      chain?.needsTag || random.below(20) === 0
        ? random.pick(['7', '7', '7', '4294967295', '4294967296', 'x', undefined])
        : undefined;
    const address = isLightning ? `ln${paymentHash}` : random.pick(['A', 'B']);
    const clientOid = repeated?.clientOid ?? this.#name();
    const asked = {
      uid: user.uid,
      coin,
      chain: name,
      address,
      kind,
      size,
      tag,
      clientOid,
      recipient,
      invoice,
    };
    this.run(
      {
        type: 'requestWithdrawal',
        uid: user.uid as Uid,
        coin,
        address,
        size: decimal(size),
        ...given({
          chain: name,
          tag,
          clientOid: clientOid as ClientOid | undefined,
          recipient: recipient as Uid | undefined,
          addressKind: kind as AddressKind | undefined,
          remark: random.below(3) === 0 ? `r${random.below(9)}` : undefined,
        }),
        ...(invoice && {
          invoice: {
            paymentHash,
            expiresAt: invoice.expiresAt as Timestamp,
            ...given({
              amount: invoice.amount === undefined ? undefined : decimal(invoice.amount),
            }),
          },
        }),
      },
      () => this.desk.request(asked),
    );
  }

  #transfer(): void {
    const { random } = this;
    const [user, other] = [this.user(), this.user()];
    const coin = random.pick([...MOVED, 'USDT', random.below(20) === 0 ? 'NONE' : 'BTC']);
    const roll = random.below(10);
    let [kind, to, areaCode]: ['uid' | 'email' | 'mobile', string, string | undefined] = [
      'uid',
      `${other.uid}`,
      undefined,
    ];
    if (roll === 0) to = random.pick(['5', 'x', '9007199254740992', '1e9']);
    else if (roll < 3 && other.email !== undefined) [kind, to] = ['email', other.email];
    else if (roll < 5 && other.mobile !== undefined) {
      [kind, to, areaCode] = ['mobile', other.mobile.slice(2), '86'];
    }
    const size = this.#size(user, coin);
    const clientOid = this.#name();
    this.run(
      {
        type: 'transferToUser',
        uid: user.uid as Uid,
        coin,
        size: decimal(size),
        recipientKind: kind,
        recipient: to,
        ...given({ areaCode, clientOid: clientOid as ClientOid | undefined }),
      },
      () => this.desk.transfer({ uid: user.uid, coin, size, kind, to, areaCode, clientOid }),
    );
  }

  /** A client id equal to the id of the next order, which then needs another. */
  #foresee(): void {
    const { random } = this;
    const [user, other] = [this.user(), this.user()];
    for (const clientOid of [
      clientOidOf((this.engine.state.nextId + 3 + random.below(3)) as Id),
      undefined,
    ]) {
      const asked = {
        uid: user.uid,
        coin: 'USDT',
        size: '0.01',
        kind: 'uid' as const,
        to: `${other.uid}`,
        areaCode: undefined,
        clientOid,
      };
      this.run(
        {
          type: 'transferToUser',
          uid: user.uid as Uid,
          coin: 'USDT',
          size: decimal('0.01'),
          recipientKind: 'uid',
          recipient: asked.to,
          ...given({ clientOid }),
        },
        () => this.desk.transfer(asked),
      );
    }
  }

  /** A waiting order more often than an ended one, sometimes an unknown one. */
  #orderId(stage?: string): number {
    const { random } = this;
    const live = this.desk.live().filter((order) => stage === undefined || order.stage === stage);
    const pool = live.length > 0 && random.below(8) > 0 ? live : this.desk.orders;
    return pool.length === 0 || random.below(60) === 0 ? 3 : random.pick(pool).id;
  }

  #cancel(): void {
    const { random } = this;
    const id = this.#orderId();
    const order = this.desk.orders.find((each) => each.id === id);
    const uid = random.below(6) === 0 ? this.user().uid : (order?.uid ?? this.user().uid);
    const byName = random.below(3) === 0 ? (order?.clientOid ?? 'none') : undefined;
    const orderId = byName === undefined ? id : undefined;
    this.run(
      {
        type: 'cancelWithdrawal',
        uid: uid as Uid,
        ...given({
          orderId: orderId as Id | undefined,
          clientOid: byName as ClientOid | undefined,
        }),
      },
      () => this.desk.cancel(uid, orderId, byName),
    );
  }

  #decide(): void {
    const { random } = this;
    const decision = random.pick([
      ...WITHDRAWAL_DECISIONS,
      'approve',
      'approve',
      'approve',
      'approve',
    ] as const);
    const id = this.#orderId(decision === 'approve' ? 'approval' : undefined);
    const operator = random.pick(['ann', 'Ann', 'ben', 'Зоя', 'зоя']);
    const hash = random.below(3) === 0 ? `own${random.below(1_000)}` : undefined;
    this.run(
      { type: 'decideWithdrawal', orderId: id as Id, decision, operator, ...given({ hash }) },
      () => decide(this.desk, id, decision, operator, hash),
    );
  }

  #ask(): void {
    const closed = this.desk.orders.find(({ stage, coin, chain }) => {
      const listed =
        stage === 'released' ? this.desk.chainOf(this.desk.coins[coin]!, chain) : undefined;
      return listed?.open === false;
    });
    const id =
      closed !== undefined && this.random.below(3) === 0 ? closed.id : this.#orderId('released');
    this.run({ type: 'askChain', orderId: id as Id }, () => ask(this.desk, id));
  }

  #report(): void {
    const { random } = this;
    const sighting = random.pick([
      ...CHAIN_SIGHTINGS,
      'sent',
      'sent',
      'confirmed',
      'confirmed',
      'confirmed',
      'confirmed',
    ] as const);
    const id = this.#orderId(sighting === 'confirmed' ? 'confirming' : 'asked');
    const hash = sighting === 'sent' || sighting === 'confirmed' ? `hash${id}` : undefined;
    const needed = this.desk.orders.find((each) => each.id === id)?.confirmationsNeeded ?? 1;
    const confirmations = Math.min(needed, random.pick([0, 1, 2, 11, 19, needed, needed, needed]));
    this.run(
      { type: 'reportChain', orderId: id as Id, sighting, confirmations, ...given({ hash }) },
      () => report(this.desk, id, sighting, confirmations, hash),
    );
  }

  #relist(): void {
    const name = this.random.pick(MOVED);
    const coin = changed(this.random, this.engine.state.coins.get(name)!);
    this.run({ type: 'listCoin', coin, operator: 'ann' }, () => {
      list(this.desk, deskCoin(coin));
      return 'accepted';
    });
  }

  #switch(): void {
    const { halted } = this.desk;
    const coin = halted.size > 0 ? [...halted][0]! : this.random.pick(MOVED);
    const on = halted.size > 0 || this.random.below(3) === 0;
    this.run({ type: 'switchWithdrawals', coin, on, operator: 'ann' }, () => {
      if (on) this.desk.halted.delete(coin);
      else this.desk.halted.add(coin);
      return 'accepted';
    });
  }

  #reserve(): void {
    const { random, desk } = this;
    const coin = random.pick(MOVED);
    const near =
      desk.owed(coin) +
      units(random.pick(['0', '10', '1000', '100000'])) -
      units(random.pick(['0', '0', '5']));
    const amount =
      random.below(3) === 0 ? undefined : random.below(4) === 0 ? units('50') : max(0n, near);
    this.run(
      {
        type: 'setReserve',
        coin,
        operator: 'ann',
        ...given({ amount: amount === undefined ? undefined : decimal(shown(amount)) }),
      },
      () => {
        if (amount === undefined) delete desk.reserves[coin];
        else desk.reserves[coin] = amount;
        return 'accepted';
      },
    );
  }
}
