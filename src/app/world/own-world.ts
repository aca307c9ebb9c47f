/**
 * Fills an empty exchange from a world file. Each step is idempotent, so the next start finishes
 * what a crash interrupted.
 */
import type { WorldFile } from '../../contract/world.ts';
import { isDollar } from '../../formulas/index-price.ts';
import type { Reply } from '../../gateway/handlers/handler.ts';
import type { RecordingRequest, SceneRequest } from '../../gateway/handlers/parts.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import { given } from '../../kernel/given.ts';
import type { ClientOid, Uid } from '../../kernel/ids.ts';
import { DEFAULT_COINS } from '../../listings/default-coins.ts';
import { DEFAULT_INSTRUMENTS, DEMO_INDEX_PRICES } from '../../listings/default-instruments.ts';
import type { CopySetting } from '../../messages/copy-trading.ts';
import type { Instrument } from '../../messages/listings.ts';
import { BadWorld } from './bad-world.ts';
import { addPast, type FileNames, must, type WorldBuilder, worldRefused } from './first-world.ts';
import type { WantedKey } from './world-keys.ts';

export interface OwnWorldBuilder extends WorldBuilder {
  /** `place`: its place in the file. */
  playScene(request: SceneRequest, place: string): Promise<void>;
  importRecording(request: RecordingRequest): Promise<Reply<unknown>>;
  /** Number of scenes that an earlier attempt has submitted. */
  scenesPlayed(): number;
}

type WorldUser = WorldFile['users'][number];

const USER_NAMES: Readonly<Record<string, string>> = {
  parentUid: 'parent',
  referralCode: 'agent',
};
const nameOfUser: FileNames = (field) => USER_NAMES[field] ?? field;
/** A follower has one multiple for all symbols. */
const nameOfFollower: FileNames = (field) =>
  field
    .replace(/^settings\[(\d+)\]\.symbol$/, 'symbols[$1]')
    .replace(/^settings\[\d+\]\.traceValue$/, 'multiple')
    .replace(/^traderId$/, 'trader');

class OwnWorld {
  readonly #world: WorldFile;
  readonly #builder: OwnWorldBuilder;
  readonly #instruments: readonly Instrument[];

  constructor(world: WorldFile, builder: OwnWorldBuilder) {
    this.#world = world;
    this.#builder = builder;
    this.#instruments = [
      ...(world.defaults ? DEFAULT_INSTRUMENTS : []),
      ...world.instruments.map((instrument) => instrument as Instrument),
    ];
  }

  async make(): Promise<void> {
    const { makers, market, name, past } = this.#world;
    const { submit } = this.#builder;
    const isMarketOn = this.#builder.marketOn ?? market;
    await this.#list();
    await this.#addUsers();
    await this.#makeTraders();
    await Promise.all(
      makers.map(({ category, symbol, depth, spread }, at) =>
        must(
          submit,
          { type: 'setMaking', category, symbol, making: { depth, spread } },
          `makers[${at}]`,
        ),
      ),
    );
    await this.#importRecordings(isMarketOn);
    await addPast(this.#builder, this.#builder.past.spanMs ?? past);
    if (isMarketOn) {
      await this.#builder.openMarket();
      await this.#playScenes();
    }
    await must(submit, { type: 'openWorld', world: name });
  }

  async #list(): Promise<void> {
    const { defaults, coins, prices } = this.#world;
    const { submit } = this.#builder;
    const [usualCoins, usual] = defaults ? [DEFAULT_COINS, DEFAULT_INSTRUMENTS] : [[], []];
    const listed = [...usualCoins, ...coins];
    await Promise.all(
      listed.map((coin, at) =>
        must(submit, { type: 'listCoin', coin }, `coins[${at - usualCoins.length}]`),
      ),
    );
    await Promise.all(
      this.#instruments.map((instrument, at) =>
        must(submit, { type: 'listInstrument', instrument }, `instruments[${at - usual.length}]`),
      ),
    );
    const input = new Map([
      ...(defaults ? Object.entries(DEMO_INDEX_PRICES) : []),
      ...(prices ?? []),
    ]);
    for (const [coin, index] of input) {
      const speaker = this.#instruments.find(
        ({ baseCoin, quoteCoin }) => baseCoin === coin && isDollar(quoteCoin),
      );
      if (speaker === undefined)
        throw new BadWorld(
          `the world could not be created: prices.${coin}: no instrument has ${coin} as its base and a dollar coin as its quote`,
        );
      const { category, symbol } = speaker;
      const price = {
        category,
        symbol,
        index: index as DecimalText,
        releaseMark: false,
        force: true,
      };
      await must(submit, { type: 'setPrices', prices: [price] }, `prices.${coin}`);
    }
  }

  #named(name: string): WorldUser {
    return this.#world.users.find((user) => user.name === name)!;
  }

  /** A referred user is created before the user that names it. */
  async #uid(user: WorldUser): Promise<Uid> {
    const { submit, uidOf } = this.#builder;
    const known = uidOf(user.name);
    if (known !== undefined) return known;
    const parentUid =
      user.parent === undefined ? undefined : await this.#uid(this.#named(user.parent));
    const referralCode =
      user.agent === undefined ? undefined : await this.#referralCode(user.agent);
    const email =
      user.email ?? `${user.name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}@rialto.example`;
    const { name, level } = user;
    const positionMode = user.holdMode ?? (this.#copies(name) ? 'hedge' : 'oneWay');
    const made = {
      type: 'createUser',
      name,
      email,
      level,
      positionMode,
      ...given({ parentUid, referralCode }),
    } as const;
    return (await must(submit, made, `users[${this.#world.users.indexOf(user)}]`, nameOfUser)).uid;
  }

  #copies(name: string): boolean {
    const { traders, followers } = this.#world;
    return [...traders, ...followers].some(({ user }) => user === name);
  }

  async #referralCode(name: string): Promise<string> {
    const at = this.#world.agents.findIndex(({ user }) => user === name);
    const { affiliationType, spotRatio, futuresRatio, userShare } = this.#world.agents[at]!;
    const uid = await this.#uid(this.#named(name));
    const spec = { affiliation: affiliationType, spotRatio, futuresRatio, ...given({ userShare }) };
    return (await must(this.#builder.submit, { type: 'makeAgent', uid, ...spec }, `agents[${at}]`))
      .referralCode;
  }

  /**
   * Creates users in groups that share their syncs. Uids follow the order of the file, so a user
   * that refers to another forms its own group.
   */
  async #addUsers(): Promise<void> {
    const { users, agents } = this.#world;
    const wanted: WantedKey[] = [];
    for (const group of groupsOf(users)) {
      const uids = await Promise.all(group.map((user) => this.#uid(user)));
      await Promise.all(group.map((user, at) => this.#fund(user, uids[at]!)));
      wanted.push(...group.map(({ name, key }, at) => ({ name, uid: uids[at]!, key })));
    }
    for (const { user } of agents) await this.#referralCode(user);
    await this.#builder.issueKeys(wanted);
  }

  async #fund(user: WorldUser, uid: Uid): Promise<void> {
    const { submit } = this.#builder;
    const at = this.#world.users.indexOf(user);
    await Promise.all(
      [...(user.balances ?? [])].map(([coin, size]) =>
        must(
          submit,
          { type: 'deposit', uid, coin, size, clientOid: `welcome-${coin}` as ClientOid },
          `users[${at}].balances.${coin}`,
        ),
      ),
    );
  }

  /** The symbols that followers of a trader can copy. */
  #symbolsOf(trader: string): readonly string[] {
    const led = this.#world.traders.find(({ user }) => user === trader)?.symbols;
    const futures = this.#instruments
      .filter(({ category }) => category === 'USDT-FUTURES')
      .map(({ symbol }) => symbol);
    return led === undefined ? futures : futures.filter((symbol) => led.includes(symbol));
  }

  async #makeTraders(): Promise<void> {
    const { traders, followers } = this.#world;
    const { submit } = this.#builder;
    for (const [at, { user, profitShare, symbols, maxFollowers }] of traders.entries()) {
      const uid = await this.#uid(this.#named(user));
      await must(
        submit,
        { type: 'makeLeader', uid, profitShare, ...given({ symbols, followersMax: maxFollowers }) },
        `traders[${at}]`,
      );
    }
    for (const [at, { user, trader, multiple, symbols }] of followers.entries()) {
      const [uid, leader] = [
        await this.#uid(this.#named(user)),
        await this.#uid(this.#named(trader)),
      ];
      const copied = symbols ?? this.#symbolsOf(trader);
      const settings = copied.map((symbol) => copyOf(symbol, multiple));
      const copying = {
        type: 'setCopySettings',
        uid,
        leader,
        mode: 'basic',
        autoCopy: symbols === undefined,
        settings,
      } as const;
      await must(submit, copying, `followers[${at}]`, nameOfFollower);
    }
  }

  /**
   * Before the drawn market history, which ends at the prices that an import sets. Without a market
   * no path is followed.
   */
  async #importRecordings(hasMarket: boolean): Promise<void> {
    // If the market is on, an earlier attempt has imported all of them.
    if (this.#builder.isMarketOn()) return;
    for (const [at, recording] of this.#world.recordings.entries()) {
      const { file, as, symbol, category, divide, columns } = recording;
      if (as === 'path' && !hasMarket) continue;
      const imported = await this.#builder.importRecording({
        path: file,
        symbol,
        use: hasMarket ? as : 'past',
        marketComes: hasMarket,
        ...given({ category, divideAt: divide, columns }),
      });
      if (!imported.ok) throw worldRefused(`recordings[${at}]`, imported.refusal);
    }
  }

  async #playScenes(): Promise<void> {
    const { scenes } = this.#world;
    const played = this.#builder.scenesPlayed();
    for (const [at, { atMs, scene, file, ...request }] of scenes.entries())
      if (at >= played)
        await this.#builder.playScene(
          { ...request, name: scene, delayMs: atMs, ...given({ file }) },
          `scenes[${at}]`,
        );
  }
}

/** Commands in a group: well below the journal's batch limit. */
const GROUP_COMMANDS_MAX = 500;

function groupsOf(users: readonly WorldUser[]): WorldUser[][] {
  const groups: WorldUser[][] = [];
  let left = 0;
  for (const user of users) {
    const commands = 1 + (user.balances?.size ?? 0);
    const refers = user.parent !== undefined || user.agent !== undefined;
    if (refers || commands > left) {
      groups.push([]);
      left = GROUP_COMMANDS_MAX;
    }
    groups.at(-1)!.push(user);
    left = refers ? 0 : left - commands;
  }
  return groups;
}

const copyOf = (symbol: string, value: DecimalText): CopySetting => ({
  category: 'USDT-FUTURES',
  symbol,
  margin: 'leader',
  leverage: 'leader',
  sizing: 'multiple',
  value,
});

export const makeOwnWorld = (world: WorldFile, builder: OwnWorldBuilder): Promise<void> =>
  new OwnWorld(world, builder).make();
