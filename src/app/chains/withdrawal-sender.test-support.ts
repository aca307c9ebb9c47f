/** A withdrawal sender between a real engine and a simulated chain, for tests. */
import { createEngine, type Engine } from '../../core/engine.ts';
import { walletOf } from '../../core/ledger/ledger.ts';
import type { ChainFault } from '../../gateway/handlers/parts.ts';
import { openLog } from '../../gateway/log.ts';
import type { Submit } from '../../gateway/submit.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import { type Id, UID_FIRST } from '../../kernel/ids.ts';
import { moneyText } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import { DEFAULT_COINS } from '../../listings/default-coins.ts';
import type { Command, CommandType } from '../../messages/commands.ts';
import { createMemoryHistory } from '../../views/history/memory-history.ts';
import { createViews } from '../../views/views.ts';
import { type Remembered, SimulatedChain } from './simulated-chain.ts';
import { WithdrawalSender } from './withdrawal-sender.ts';

export const alice = UID_FIRST;

export const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

export const START = 1_735_689_600_000;

/** The program ends here: a pending answer never arrives. */
export const crash = (): Promise<never> => new Promise(() => {});

export type When = 'before' | 'after';

export interface Crash {
  readonly type: CommandType;
  readonly when: When;
}

/** What survives every crash: the journal, here as its commands, and the chain. */
export class DurableParts {
  readonly journal: { readonly command: Command; readonly at: Timestamp }[] = [];
  readonly chainRows: Remembered[] = [];
  readonly logged: string[] = [];
  now = START as Timestamp;
  /** The current error of the chain's memory, if any. */
  trouble: Error | undefined;
}

/** One run of the program, up to its crash. */
export class Run {
  readonly engine: Engine = createEngine();
  readonly views = createViews(createMemoryHistory());
  readonly chain: SimulatedChain;
  readonly sender: WithdrawalSender;
  readonly #durable: DurableParts;
  readonly #crash: Crash | undefined;
  isOver = false;

  constructor(durable: DurableParts, planned?: Crash) {
    this.#durable = durable;
    this.#crash = planned;
    for (const { command, at } of durable.journal)
      this.views.apply(this.engine.execute(command, at));
    const now = () => this.#durable.now;
    const append = (row: Remembered): void => {
      if (durable.trouble !== undefined) throw durable.trouble;
      if (!this.isOver) durable.chainRows.push(row);
    };
    this.chain = new SimulatedChain({
      now,
      memory: { load: () => [...durable.chainRows], append },
    });
    const { withdrawals, listings } = this.views;
    const log = openLog('error', { write: (line: string) => void durable.logged.push(line) });
    const submit = ((command: Command) => this.#submit(command)) as Submit;
    const plan = (fault: ChainFault, count: number) => this.chain.plan(fault, count);
    this.sender = new WithdrawalSender({
      connector: this.chain,
      submit,
      withdrawals,
      listings,
      now,
      log,
      plan,
    });
  }

  #submit(command: Command) {
    const isHere = this.#crash?.type === command.type;
    if (this.isOver || (isHere && this.#crash?.when === 'before')) {
      this.isOver = true;
      return crash();
    }
    const outcome = this.execute(command);
    if (isHere) {
      this.isOver = true;
      return crash();
    }
    return Promise.resolve(outcome);
  }

  /** Durable at once. */
  execute(command: Command) {
    const { now, journal } = this.#durable;
    const executed = this.engine.execute(command, now);
    journal.push({ command, at: now });
    this.views.apply(executed);
    return executed.outcome;
  }

  /** Runs the sender until it has nothing to do or the program is over. */
  async run(): Promise<void> {
    const over = async () => {
      while (!this.isOver) await new Promise((resolve) => setImmediate(resolve));
    };
    await Promise.race([this.sender.settle(), over()]);
  }

  withdraw(size = '100'): Id {
    const outcome = this.execute({
      type: 'requestWithdrawal',
      uid: alice,
      coin: 'USDT',
      chain: 'TRC20',
      address: TRON,
      addressKind: 'tron',
      size: size as DecimalText,
    });
    return (outcome as { value: { orderId: Id } }).value.orderId;
  }

  has(): string {
    const { available, locked } = walletOf(this.engine.state.ledger, alice, 'USDT');
    return `${moneyText(available)} + ${moneyText(locked)}`;
  }
}

export function newDurableParts(): DurableParts {
  const durable = new DurableParts();
  const run = new Run(durable);
  for (const coin of DEFAULT_COINS) run.execute({ type: 'listCoin', coin });
  run.execute({ type: 'createUser', level: 'VIP0', positionMode: 'oneWay' });
  run.execute({ type: 'deposit', uid: alice, coin: 'USDT', size: '1000' as DecimalText });
  return durable;
}

/** How often each order was broadcast, from the chain's memory. */
export function asked({ chainRows }: DurableParts): number[] {
  const counts = new Map<number, number>();
  for (const { orderId, fate } of chainRows) {
    if (fate !== 'barred') counts.set(orderId, (counts.get(orderId) ?? 0) + 1);
  }
  return [...counts.values()];
}
