/**
 * Many concurrent callers that deposit, place orders, repeat requests, register users, create keys
 * and set leverage, until the server ends.
 */

import {
  type Customer,
  type Deposit,
  type Keys,
  KillFailure,
  type KillModel,
} from './kill-model.ts';
import type { KillOrders } from './kill-orders.ts';
import type { Answer, Server } from './server.ts';

const CALLERS = 24;
/** The code when a user already has the maximum number of keys. */
const TOO_MANY_KEYS = '40058';
/** The outcome is unknown or nothing was done. Neither is an acknowledgement. */
const NOT_ACKNOWLEDGED: ReadonlySet<string> = new Set(['40010', '40015']);

type Task = (load: Load) => Promise<void>;

export class Load {
  readonly model: KillModel;
  readonly server: Server;
  readonly orders: KillOrders;
  stopped = false;

  constructor(model: KillModel, server: Server, orders: KillOrders) {
    this.orders = orders;
    this.model = model;
    this.server = server;
  }

  /** Runs until the server stops answering; throws what the model finds wrong. */
  async run(): Promise<void> {
    const caller = async (): Promise<void> => {
      while (!this.stopped) await this.#task()(this);
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
  }

  /** The payload of an acknowledgement, or undefined. */
  async acknowledgement<Payload>(
    asked: Promise<Answer<Payload>>,
    allowed?: string,
  ): Promise<Payload | undefined> {
    const { model } = this;
    const answer = await asked.catch(() => undefined);
    if (answer === undefined) {
      // The connection and the server are gone.
      this.stopped = true;
      model.unanswered++;
      return undefined;
    }
    if (answer.code === allowed || NOT_ACKNOWLEDGED.has(answer.code)) return undefined;
    if (answer.code !== '00000')
      throw new KillFailure(`a call was refused: ${answer.status} ${answer.code} ${answer.msg}`);
    model.acknowledged++;
    return answer.data;
  }

  #task(): Task {
    const drawn = this.model.random.below(100);
    if (drawn < 30) return placeOrder;
    if (drawn < 50) return deposit;
    if (drawn < 72) return depositNamed;
    if (drawn < 82) return depositAgain;
    if (drawn < 83) return createUser;
    return drawn < 86 ? createKey : setLeverage;
  }
}

export async function sendDeposit(load: Load, wanted: Deposit): Promise<void> {
  const { uid, coin, size, clientOid } = wanted;
  // A repeated request can still take effect after the first was lost.
  if (wanted.state === 'absent') wanted.state = 'unknown';
  const body = { uid, coin, size, ...(clientOid === undefined ? {} : { clientOid }) };
  const made = await load.acknowledgement(
    load.server.operator<{ orderId: string }>('POST', '/operator/v1/deposits', body),
  );
  if (made !== undefined) load.model.acknowledgeDeposit(wanted, made.orderId);
}

const someone = ({ model }: Load): Customer => model.random.pick(model.active);

const placeOrder: Task = (load) => load.orders.place(load);
const deposit: Task = (load) => sendDeposit(load, load.model.newDeposit(someone(load), false));
const depositNamed: Task = (load) => sendDeposit(load, load.model.newDeposit(someone(load), true));

const depositAgain: Task = async (load) => {
  const earlier = load.model.namedDeposit(someone(load));
  if (earlier === undefined) return depositNamed(load);
  await sendDeposit(load, earlier);
};

export const createUser: Task = async (load) => {
  const { model } = load;
  const email = model.newEmail();
  model.usersUnknown.add(email);
  const made = await load.acknowledgement(
    load.server.operator<{ uid: string }>('POST', '/operator/v1/users', { email }),
  );
  if (made === undefined) return;
  model.usersUnknown.delete(email);
  model.addCustomer(made.uid, email);
};

const createKey: Task = async (load) => {
  const { uid, keys } = someone(load);
  const made = await load.acknowledgement(
    load.server.operator<Keys>('POST', '/operator/v1/keys', { uid }),
    TOO_MANY_KEYS,
  );
  if (made !== undefined) keys.push(made);
};

/** One call at a time for each customer, so that their order is known. */
const setLeverage: Task = async (load) => {
  const customer = someone(load);
  const { keys } = customer;
  if (keys.length === 0) return createKey(load);
  if (customer.leverageBusy) return deposit(load);
  customer.leverageBusy = true;
  const leverage = String(1 + load.model.random.below(100));
  customer.leveragesAsked.push(leverage);
  const body = { symbol: 'BTCUSDT', productType: 'USDT-FUTURES', marginCoin: 'USDT', leverage };
  const set = await load.acknowledgement(
    load.server.call(
      load.model.random.pick(keys),
      'POST',
      '/api/v2/mix/account/set-leverage',
      body,
    ),
  );
  if (set !== undefined) {
    customer.leverage = leverage;
    customer.leveragesAsked = [];
  }
  customer.leverageBusy = false;
};
