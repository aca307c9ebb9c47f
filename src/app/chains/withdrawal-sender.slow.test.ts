/** The courier between a real engine and a simulated chain, interrupted wherever it can be. */
import { describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../core/engine.ts';
import { walletOf } from '../../core/ledger/ledger.ts';
import type { ChainFault } from '../../gateway/handlers/parts.ts';
import { openLog } from '../../gateway/log.ts';
import type { Submit } from '../../gateway/submit.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import { type Id, UID_FIRST } from '../../kernel/ids.ts';
import { moneyText } from '../../kernel/money.ts';
import { DAY, MINUTE, SECOND, type Timestamp } from '../../kernel/time.ts';
import { DEFAULT_COINS } from '../../listings/default-coins.ts';
import type { Command, CommandType } from '../../messages/commands.ts';
import { createMemoryHistory } from '../../views/history/memory-history.ts';
import { createViews } from '../../views/views.ts';
import { type Remembered, SimulatedChain } from './simulated-chain.ts';
import { WithdrawalSender } from './withdrawal-sender.ts';

const alice = UID_FIRST;
const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const START = 1_735_689_600_000;

/** The program ends here: whoever waits for an answer waits for ever. */
const crash = (): Promise<never> => new Promise(() => {});

type When = 'before' | 'after';
interface Crash {
  readonly type: CommandType;
  readonly when: When;
}

/** What survives every crash: the journal, here as its commands, and the chain. */
class World {
  readonly lived: { readonly command: Command; readonly at: Timestamp }[] = [];
  readonly chainRows: Remembered[] = [];
  readonly logged: string[] = [];
  now = START as Timestamp;
  /** Why the chain cannot remember anything now. */
  trouble: Error | undefined;
}

/** One life of the program, up to its crash. */
class Run {
  readonly engine: Engine = createEngine();
  readonly views = createViews(createMemoryHistory());
  readonly chain: SimulatedChain;
  readonly sender: WithdrawalSender;
  readonly #world: World;
  readonly #crash: Crash | undefined;
  isOver = false;

  constructor(world: World, planned?: Crash) {
    this.#world = world;
    this.#crash = planned;
    for (const { command, at } of world.lived) this.views.apply(this.engine.execute(command, at));
    const now = () => this.#world.now;
    const append = (row: Remembered): void => {
      if (world.trouble !== undefined) throw world.trouble;
      if (!this.isOver) world.chainRows.push(row);
    };
    this.chain = new SimulatedChain({ now, memory: { load: () => [...world.chainRows], append } });
    const { withdrawals, listings } = this.views;
    const log = openLog('error', { write: (line: string) => void world.logged.push(line) });
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
    const { now, lived } = this.#world;
    const executed = this.engine.execute(command, now);
    lived.push({ command, at: now });
    this.views.apply(executed);
    return executed.outcome;
  }

  /** Runs the courier until it rests or the program is over. */
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

function newWorld(): World {
  const world = new World();
  const run = new Run(world);
  for (const coin of DEFAULT_COINS) run.execute({ type: 'listCoin', coin });
  run.execute({ type: 'createUser', level: 'VIP0', positionMode: 'oneWay' });
  run.execute({ type: 'deposit', uid: alice, coin: 'USDT', size: '1000' as DecimalText });
  return world;
}

/** How often the chain was asked for each order, as it remembers itself. */
function asked({ chainRows }: World): number[] {
  const counts = new Map<number, number>();
  for (const { orderId, fate } of chainRows) {
    if (fate !== 'barred') counts.set(orderId, (counts.get(orderId) ?? 0) + 1);
  }
  return [...counts.values()];
}

async function rest(world: World): Promise<Run> {
  const run = new Run(world);
  for (let minute = 0; minute < 3; minute++) {
    world.now = (world.now + MINUTE) as Timestamp;
    await run.run();
  }
  return run;
}

describe('a courier that is never interrupted', () => {
  test('[WDR-13][WDR-14] sends each order once and brings its confirmations home', async () => {
    const world = newWorld();
    const run = new Run(world);
    run.withdraw();
    run.withdraw('50');
    await run.run();
    expect([asked(world), run.has()]).toEqual([[1, 1], '850 + 150']);
    world.now = (world.now + 59 * SECOND) as Timestamp;
    await run.run();
    expect(
      run.views.withdrawals.inStage('confirming').map(({ progress }) => progress.confirmations),
    ).toEqual([19, 19]);
    world.now = (world.now + SECOND) as Timestamp;
    await run.run();
    expect([asked(world), run.has(), run.views.withdrawals.pending()]).toEqual([
      [1, 1],
      '850 + 0',
      [],
    ]);
  });

  test('[WDR-13] what a chain has done while the clock was moved counts from when it tells it', async () => {
    const world = newWorld();
    const run = new Run(world);
    const orderId = run.withdraw();
    await run.run();
    // Twenty blocks of three seconds came in the first minute of this day.
    world.now = (world.now + DAY) as Timestamp;
    await run.run();
    expect(await run.views.history.endedWithdrawals({ orderId, limit: 1 })).toMatchObject([
      { status: 'completed', updatedAt: START + DAY },
    ]);
  });

  test('[WDR-13] has nothing more to write when nothing has changed', async () => {
    const world = newWorld();
    const run = new Run(world);
    run.withdraw();
    await run.run();
    const written = world.lived.length;
    for (let time = 0; time < 5; time++) await run.run();
    expect(world.lived.length).toBe(written);
  });

  test('[WDR-50] what waited for a chain that is no longer listed is given back and not sent, however much it is', async () => {
    const world = newWorld();
    const run = new Run(world);
    run.execute({ type: 'deposit', uid: alice, coin: 'USDT', size: '10000' as DecimalText });
    for (let count = 0; count < 500; count++) run.withdraw('10');
    const { chains, ...usdt } = DEFAULT_COINS.find(({ coin }) => coin === 'USDT')!;
    run.execute({
      type: 'listCoin',
      coin: { ...usdt, chains: chains.filter(({ chain }) => chain !== 'TRC20') },
    });
    const address = '0x00000000000000000000000000000000000000ff';
    const sent = {
      coin: 'USDT',
      chain: 'BEP20',
      address,
      addressKind: 'evm',
      size: '10' as DecimalText,
    } as const;
    expect(run.execute({ type: 'requestWithdrawal', uid: alice, ...sent })).toMatchObject({
      ok: true,
    });
    await run.run();
    expect([asked(world), run.views.withdrawals.inStage('released'), run.has()]).toEqual([
      [1],
      [],
      '10990 + 10',
    ]);
  });

  test('[WDR-35] leaves what is halted where it is, without a word in the journal', async () => {
    const world = newWorld();
    const run = new Run(world);
    run.withdraw();
    run.execute({ type: 'switchWithdrawals', coin: 'USDT', on: false, operator: 'ann' });
    const written = world.lived.length;
    await run.run();
    expect([world.lived.length, asked(world)]).toEqual([written, []]);
    run.execute({ type: 'switchWithdrawals', coin: 'USDT', on: true, operator: 'ann' });
    await run.run();
    expect(asked(world)).toEqual([1]);
  });

  test('[WDR-35] leaves what a closed chain would have to send where it is, without a word in the journal', async () => {
    const world = newWorld();
    const run = new Run(world);
    run.withdraw();
    const { chains, ...usdt } = DEFAULT_COINS.find(({ coin }) => coin === 'USDT')!;
    const lists = (withdrawOpen: boolean) =>
      run.execute({
        type: 'listCoin',
        coin: { ...usdt, chains: chains.map((each) => ({ ...each, withdrawOpen })) },
      });
    lists(false);
    const written = world.lived.length;
    await run.run();
    expect([world.lived.length, asked(world)]).toEqual([written, []]);
    lists(true);
    await run.run();
    expect(asked(world)).toEqual([1]);
  });

  test('[WDR-15] a chain that tells of an order given up by hand is heard by somebody', async () => {
    const world = newWorld();
    const run = new Run(world);
    run.chain.plan('lose_reply', 1);
    const orderId = run.withdraw();
    await run.run();
    run.execute({ type: 'decideWithdrawal', orderId, decision: 'fail', operator: 'ann' });
    run.chain.inquire(orderId);
    await run.run();
    expect(world.logged.join()).toContain('a chain tells of an order that has ended');
    expect(run.has()).toBe('1000 + 0');
  });

  test('[WDR-14][WDR-38] what needs no confirmations is there as soon as it is known to be sent, also when the reply was lost', async () => {
    const world = newWorld();
    const run = new Run(world);
    const usdt = DEFAULT_COINS.find(({ coin }) => coin === 'USDT')!;
    run.execute({
      type: 'listCoin',
      coin: {
        ...usdt,
        chains: usdt.chains.map((chain) => ({ ...chain, withdrawConfirmations: 0 })),
      },
    });
    run.sender.plan('lose_reply', 1);
    const [lost, known] = [run.withdraw(), run.withdraw()];
    await run.run();
    expect([lost, known].map((id) => run.views.withdrawals.find(id)?.progress.stage)).toEqual([
      'asked',
      undefined,
    ]);
    // A minute of Tron: the chain no longer says that it was sent, but how deep it lies.
    world.now = (world.now + MINUTE) as Timestamp;
    await run.run();
    expect([run.views.withdrawals.find(lost), run.has(), asked(world)]).toEqual([
      undefined,
      '800 + 0',
      [1, 1],
    ]);
  });

  test('[WDR-38] a reply is waited for, and then asked after', async () => {
    const world = newWorld();
    const run = new Run(world);
    run.chain.plan('lose_request', 1);
    run.withdraw();
    await run.run();
    world.now = (world.now + 10 * SECOND - 1) as Timestamp;
    await run.run();
    expect([run.has(), run.views.withdrawals.inStage('asked').length]).toEqual(['900 + 100', 1]);
    world.now = (world.now + 1) as Timestamp;
    await run.run();
    expect([run.has(), asked(world)]).toEqual(['1000 + 0', []]);
  });

  test('[WDR-38] nobody is left to hear the reply to what an earlier life may have asked: it is asked after at once', async () => {
    const world = newWorld();
    const run = new Run(world, { type: 'askChain', when: 'after' });
    const never = run.withdraw();
    await run.run();
    const next = new Run(world);
    expect(next.views.withdrawals.find(never)?.progress.stage).toBe('asked');
    await next.run();
    expect([next.has(), next.views.withdrawals.pending(), asked(world)]).toEqual([
      '1000 + 0',
      [],
      [],
    ]);
  });
});

describe('a chain that cannot be asked', () => {
  test('[WDR-48] is told of once, however often it is tried, and again when it had passed; then everything is carried', async () => {
    const world = newWorld();
    const run = new Run(world);
    const full = new Error('ENOSPC: no space left on device, write');
    const tryOften = async (): Promise<void> => {
      for (let time = 0; time < 5; time++) {
        world.now = (world.now + 10 * SECOND) as Timestamp;
        await run.run();
      }
    };
    world.trouble = full;
    run.withdraw();
    await tryOften();
    expect(world.logged.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'withdrawals could not be carried',
    ]);
    world.trouble = new Error('EIO: i/o error, write');
    await tryOften();
    expect(world.logged.length).toBe(2);
    world.trouble = undefined;
    await tryOften();
    expect([world.logged.length, run.has()]).toEqual([2, '1000 + 0']);
    world.trouble = full;
    run.withdraw();
    await tryOften();
    expect(world.logged.length).toBe(3);
    world.trouble = undefined;
    await tryOften();
    expect([run.has(), run.views.withdrawals.pending()]).toEqual(['1000 + 0', []]);
  });
});

describe('a program that ends', () => {
  const crashes: readonly Crash[] = (['askChain', 'reportChain'] as const).flatMap((type) =>
    (['before', 'after'] as const).map((when) => ({ type, when })),
  );
  const faults: readonly (ChainFault | undefined)[] = [
    undefined,
    'refuse',
    'fail',
    'lose_request',
    'lose_reply',
    'repeat_reply',
  ];
  const matrix = crashes.flatMap(({ type, when }) =>
    faults.map((fault) => [when, type, fault] as const),
  );

  test.each(matrix)(
    '[WDR-38][WDR-37][WDR-03] %s %s, with the chain at %s',
    async (when, type, fault) => {
      const world = newWorld();
      const first = new Run(world, { type, when });
      if (fault !== undefined) first.chain.plan(fault, 1);
      const orderId = first.withdraw();
      await first.run();
      const last = await rest(world);
      // Never asked twice; and what the chain sent is what the exchange took, to the last unit.
      const counts = asked(world);
      expect(counts.every((count) => count === 1)).toBe(true);
      const fates = world.chainRows.map(({ fate }) => fate);
      const wasSent = fates.includes('sent');
      const [record] = await last.views.history.endedWithdrawals({ orderId, limit: 1 });
      expect([record?.status, last.has()]).toEqual(
        wasSent ? ['completed', '900 + 0'] : ['failed', '1000 + 0'],
      );
      expect(last.engine.audit().violations).toEqual([]);
    },
  );

  test('[WDR-38] crashes again and again, at every step of a thousand orders, and each is sent at most once', async () => {
    const world = newWorld();
    const orders: Id[] = [];
    for (let round = 0; round < 40; round++) {
      const { type, when } = crashes[round % crashes.length]!;
      const run = new Run(world, { type, when });
      run.chain.plan(faults[1 + (round % 5)]!, 1);
      run.execute({ type: 'deposit', uid: alice, coin: 'USDT', size: '250' as DecimalText });
      for (let at = 0; at < 25; at++) orders.push(run.withdraw('10'));
      await run.run();
      world.now = (world.now + 7 * SECOND) as Timestamp;
    }
    const last = await rest(world);
    expect(asked(world).every((count) => count === 1)).toBe(true);
    expect(last.views.withdrawals.pending()).toEqual([]);
    const sent = world.chainRows.filter(({ fate }) => fate === 'sent').length;
    const ended = await last.views.history.endedWithdrawals({ limit: 2_000 });
    expect([ended.length, new Set(orders).size]).toEqual([1_000, 1_000]);
    expect(ended.filter(({ status }) => status === 'completed').length).toBe(sent);
    // 1000 and 40 times 250 came in; each order that was sent took 10.
    expect(last.has()).toBe(`${11_000 - 10 * sent} + 0`);
    expect(sent).toBeGreaterThan(0);
  });
});
