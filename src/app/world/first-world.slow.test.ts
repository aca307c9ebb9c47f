import { describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../core/engine.ts';
import type { Uid } from '../../kernel/ids.ts';
import { moneyText } from '../../kernel/money.ts';
import { HOUR, type Timestamp } from '../../kernel/time.ts';
import type { Command } from '../../messages/commands.ts';
import { ensureMarketAccounts } from '../../simulator/market/market-accounts.ts';
import { createMemoryHistory } from '../../views/history/memory-history.ts';
import { createViews, type Views } from '../../views/views.ts';
import { makeFirstWorld, type WorldBuilder } from './first-world.ts';

/** The machine crashed before this command. */
class SwitchedOff extends Error {}

interface Attempt {
  readonly engine: Engine;
  readonly views: Views;
  readonly issued: Map<string, Uid>;
}

const begin = (): Attempt => ({
  engine: createEngine(),
  views: createViews(createMemoryHistory()),
  issued: new Map(),
});

/** Creates the world in an exchange, and crashes after this many commands. */
async function attempt(
  { engine, views, issued }: Attempt,
  world: 'demo' | 'empty',
  commandsMax = Number.POSITIVE_INFINITY,
  { spanMs, start = 1_700_000_000_000 }: { spanMs?: number | undefined; start?: number } = {},
): Promise<number> {
  let commands = 0;
  const submit = async (command: Command): Promise<unknown> => {
    if (commands >= commandsMax) throw new SwitchedOff();
    commands++;
    const executed = engine.execute(command, (start + engine.sequence) as Timestamp);
    views.apply(executed);
    return executed.outcome;
  };
  await makeFirstWorld(world, {
    submit: submit as WorldBuilder['submit'],
    uidOf: (name) => views.accounts.findByName(name)?.uid,
    issueKeys: async (wanted) => {
      for (const { name, uid } of wanted) issued.set(name, uid);
    },
    marketOn: world === 'demo',
    past: { seed: 1, spanMs },
    now: () => (start + engine.sequence) as Timestamp,
    isMarketOn: () => engine.state.marketOn,
    openMarket: async () => {
      await ensureMarketAccounts(() => engine.state, submit as WorldBuilder['submit']);
      await submit({ type: 'switchMarket', on: true });
    },
  }).catch((error: unknown) => {
    if (!(error instanceof SwitchedOff)) throw error;
  });
  return commands;
}

const worldOf = ({ views, issued }: Attempt) => ({
  open: views.clock.world(),
  coins: views.listings.coins(),
  instruments: views.listings.instruments(),
  users: views.accounts.count(),
  balances: [...issued].map(([name, uid]) => [
    name,
    views.accounts.balances(uid).map(({ coin, available }) => `${moneyText(available)} ${coin}`),
  ]),
  bitcoin: views.prices.mark('USDT-FUTURES', 'BTCUSDT'),
  hasPast: views.past.of('USDT-FUTURES', 'BTCUSDT') !== undefined,
});

describe('the first world', () => {
  test('[RUN-10] the demo world has alice, bob, carol and dave, each with the same money', async () => {
    const made = begin();
    await attempt(made, 'demo');
    const purse = ['2 BTC', '30 ETH', '50000 USDC', '100000 USDT'];
    const { open, users, balances } = worldOf(made);
    expect({ open, users }).toEqual({ open: 'demo', users: 8 });
    expect(balances.map(([name, held]) => [name, (held as string[]).toSorted()])).toEqual(
      ['alice', 'bob', 'carol', 'dave'].map((name) => [name, purse.toSorted()]),
    );
    expect(made.engine.audit().violations).toEqual([]);
  });

  test.each([
    ['demo', undefined, 720],
    ['demo', 12, 12],
    ['demo', 0, undefined],
    ['empty', undefined, undefined],
  ] as const)(
    '[PAST-14] world %s with a history of %s hours has one of %s',
    async (world, hours, expected) => {
      const { engine, ...views } = begin();
      await attempt({ engine, ...views }, world, undefined, {
        spanMs: hours === undefined ? undefined : hours * HOUR,
      });
      // It starts at a full hour.
      const { past } = engine.state;
      expect(past && Math.floor((past.end - past.begin) / HOUR)).toBe(expected);
    },
  );

  test('[PAST-14] a demo world that starts soon after 1970 has a shorter history', async () => {
    const made = begin();
    await attempt(made, 'demo', undefined, { start: 10 * HOUR });
    expect(made.engine.state.past?.begin).toBe(0);
    const first = begin();
    await attempt(first, 'demo', undefined, { start: 1 });
    expect([worldOf(first).open, worldOf(first).hasPast]).toEqual(['demo', false]);
  });

  test('[CPY-56] alice leads, and bob follows her in all symbols of USDT-FUTURES', async () => {
    const made = begin();
    await attempt(made, 'demo');
    const [alice, bob] = ['alice', 'bob'].map((name) => made.issued.get(name)!);
    const { copyTrading, accounts, listings } = made.views;
    expect(moneyText(copyTrading.leader(alice!)!.profitShare)).toBe('0.1');
    const { mode, autoCopy, settings } = copyTrading.following(bob!, alice!)!;
    expect({ mode, autoCopy }).toEqual({ mode: 'basic', autoCopy: true });
    const followed = listings
      .instruments('USDT-FUTURES')
      .map(({ instrument }) => instrument.symbol);
    expect(settings.map(({ symbol }) => symbol)).toEqual(followed);
    expect([accounts.positionMode(alice!), accounts.positionMode(bob!)]).toEqual([
      'hedge',
      'hedge',
    ]);
  });

  test('[AGT-02] in the demo world carol is an agent, and bob is her customer', async () => {
    const { views, issued } = begin();
    await attempt({ engine: createEngine(), views, issued }, 'demo');
    const [bob, carol] = [issued.get('bob')!, issued.get('carol')!];
    expect(views.agents.agents().map(({ uid }) => uid)).toEqual([carol]);
    expect(views.agents.customer(bob)).toMatchObject({ agentUid: carol });
    expect(views.agents.customerCount(carol)).toBe(1);
  });

  test('[RUN-12] the empty world has coins and instruments, and no user', async () => {
    const made = begin();
    await attempt(made, 'empty');
    const { open, users, coins, instruments, bitcoin } = worldOf(made);
    expect({ open, users, coins: coins.length, instruments: instruments.length, bitcoin }).toEqual({
      open: 'empty',
      users: 0,
      coins: 6,
      instruments: 18,
      bitcoin: undefined,
    });
  });

  test('[RUN-23] after a crash at any command, the next start completes the same world', async () => {
    const whole = begin();
    const commands = await attempt(whole, 'demo');
    expect(commands).toBeGreaterThan(40);
    for (let commandsMax = 0; commandsMax < commands; commandsMax++) {
      const made = begin();
      await attempt(made, 'demo', commandsMax);
      expect(made.views.clock.world(), `after ${commandsMax} commands`).toBeUndefined();
      await attempt(made, 'demo');
      expect(worldOf(made), `after ${commandsMax} commands`).toEqual(worldOf(whole));
    }
  });
});
