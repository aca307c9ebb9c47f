/**
 * The smallest machine that a journal can run: it adds deposits up. Its digest covers every
 * command, so it detects any change.
 */

import type { Executed, Machine } from '../../src/journal/machine.ts';
import { canonicalBytes, fromCanonicalBytes } from '../../src/kernel/canonical.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import { addToDigest, type Digest, digestText, newDigest } from '../../src/kernel/digest.ts';
import type { ClientOid, Id, Sequence, Uid } from '../../src/kernel/ids.ts';
import { invariant } from '../../src/kernel/invariant.ts';
import { type Amount, money } from '../../src/kernel/money.ts';
import { ok, type Result, refuse } from '../../src/kernel/result.ts';
import type { Timestamp } from '../../src/kernel/time.ts';
import type { Command, CommandOf } from '../../src/messages/commands.ts';
import type { Event } from '../../src/messages/events.ts';
import { type Rejection, rejection } from '../../src/messages/rejections.ts';

interface CounterState {
  sequence: Sequence;
  at: Timestamp;
  offsetMs: number;
  digest: Digest;
  totals: Map<string, Amount>;
}

/** A deposit of this coin throws after it has changed the state. */
export const POISON = 'POISON';
/** Deposits of this size are refused. */
export const REFUSED_SIZE = '0.13';

export const depositOf = (
  size: string,
  coin = 'USDT',
  clientOid?: string,
): CommandOf<'deposit'> => ({
  type: 'deposit',
  uid: 1_000_000_001 as Uid,
  coin,
  size: size as DecimalText,
  ...(clientOid === undefined ? {} : { clientOid: clientOid as ClientOid }),
});

export class CounterMachine implements Machine {
  #state: CounterState = {
    sequence: 0 as Sequence,
    at: 0 as Timestamp,
    offsetMs: 0,
    digest: newDigest(),
    totals: new Map(),
  };

  get sequence(): Sequence {
    return this.#state.sequence;
  }

  get at(): Timestamp {
    return this.#state.at;
  }

  total(coin: string): Amount {
    return this.#state.totals.get(coin) ?? (0n as Amount);
  }

  execute(command: Command, at: Timestamp): Executed {
    const state = this.#state;
    invariant(at >= state.at, 'time never goes back');
    state.sequence = (state.sequence + 1) as Sequence;
    state.at = at;
    const events: Event[] = [];
    const outcome = this.#apply(command, events);
    addToDigest(state.digest, [command, at, outcome]);
    return { sequence: state.sequence, at, events, outcome };
  }

  #apply(command: Command, events: Event[]): Result<unknown, Rejection> {
    const state = this.#state;
    if (command.type === 'moveClock') {
      state.offsetMs += command.advanceMs ?? 0;
      state.at = (state.at + (command.advanceMs ?? 0)) as Timestamp;
      return ok({ now: state.at });
    }
    if (command.type !== 'deposit') return ok(undefined);
    if (command.size === REFUSED_SIZE) return refuse(rejection('sizeNotPositive'));
    const amount = money<Amount>(command.size);
    state.totals.set(command.coin, (this.total(command.coin) + amount) as Amount);
    invariant(command.coin !== POISON, 'the poison coin is never deposited');
    const orderId = state.sequence as number as Id;
    events.push({
      type: 'depositCredited',
      orderId,
      uid: command.uid,
      coin: command.coin,
      amount,
      clientOid: command.clientOid ?? ('none' as ClientOid),
    });
    return ok({ orderId });
  }

  exchangeTime(wall: Timestamp): Timestamp {
    return (wall + this.#state.offsetMs) as Timestamp;
  }

  digest(): string {
    return digestText(this.#state.digest);
  }

  stateHash(): string {
    return canonicalBytes(this.#state).toString('base64');
  }

  serialize(): Uint8Array {
    return canonicalBytes(this.#state);
  }

  restore(bytes: Uint8Array): void {
    this.#state = fromCanonicalBytes<CounterState>(bytes);
  }
}

export const createCounter = (): CounterMachine => new CounterMachine();
