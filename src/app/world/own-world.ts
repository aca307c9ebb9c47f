/** Fills an empty exchange with a world of somebody's own. Each step can be repeated, so a crash in the middle is finished at the next start. */
import type { WorldFile } from '../../contract/world.ts';
import { isDollar } from '../../formulas/index-price.ts';
import type { SceneWish } from '../../gateway/handlers/parts.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import { given } from '../../kernel/given.ts';
import type { ClientOid, Uid } from '../../kernel/ids.ts';
import { DEFAULT_COINS } from '../../listings/default-coins.ts';
import { DEFAULT_INSTRUMENTS, DEMO_INDEX_PRICES } from '../../listings/default-instruments.ts';
import type { CopySetting } from '../../messages/copy-trading.ts';
import type { Instrument } from '../../messages/listings.ts';
import { BadWorld } from './bad-world.ts';
import { must, type WorldBuilder } from './first-world.ts';
import type { WantedKey } from './world-keys.ts';

export interface OwnWorldBuilder extends WorldBuilder {
  playScene(wish: SceneWish): Promise<void>;
  /** How many scenes of an attempt before were taken already. */
  scenesPlayed(): number;
}

type WorldUser = WorldFile['users'][number];

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
    const { makers, market, name } = this.#world;
    const { submit } = this.#builder;
    await this.#list();
    await this.#addUsers();
    await this.#makeTraders();
    await Promise.all(
      makers.map(({ category, symbol, depth, spread }) =>
        must(submit, { type: 'setMaking', category, symbol, making: { depth, spread } }, `maker of ${category} ${symbol}`),
      ),
    );
    if (this.#builder.marketOn ?? market) {
      await this.#builder.openMarket();
      await this.#playScenes();
    }
    await must(submit, { type: 'openWorld', world: name });
  }

  async #list(): Promise<void> {
    const { defaults, coins, prices } = this.#world;
    const { submit } = this.#builder;
    const listed = [...(defaults ? DEFAULT_COINS : []), ...coins];
    await Promise.all(listed.map((coin) => must(submit, { type: 'listCoin', coin }, `coin ${coin.coin}`)));
    await Promise.all(
      this.#instruments.map((instrument) =>
        must(submit, { type: 'listInstrument', instrument }, `instrument ${instrument.category} ${instrument.symbol}`),
      ),
    );
    const said = new Map([...(defaults ? Object.entries(DEMO_INDEX_PRICES) : []), ...(prices ?? [])]);
    for (const [coin, index] of said) {
      const speaker = this.#instruments.find(({ baseCoin, quoteCoin }) => baseCoin === coin && isDollar(quoteCoin));
      if (speaker === undefined)
        throw new BadWorld(
          `the world could not be made: prices.${coin}: no instrument has ${coin} for its base and a dollar for its quote`,
        );
      const { category, symbol } = speaker;
      const price = { category, symbol, index: index as DecimalText, releaseMark: false, force: true };
      await must(submit, { type: 'setPrices', prices: [price] }, `prices.${coin}`);
    }
  }

  #named(name: string): WorldUser {
    return this.#world.users.find((user) => user.name === name)!;
  }

  /** Whoever somebody refers to is made before him. */
  async #uid(user: WorldUser): Promise<Uid> {
    const { submit, uidOf } = this.#builder;
    const known = uidOf(user.name);
    if (known !== undefined) return known;
    const parentUid = user.parent === undefined ? undefined : await this.#uid(this.#named(user.parent));
    const referralCode = user.agent === undefined ? undefined : await this.#referralCode(user.agent);
    const email = user.email ?? `${user.name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}@rialto.example`;
    const { name, level } = user;
    const positionMode = user.holdMode ?? (this.#copies(name) ? 'hedge' : 'oneWay');
    const made = { type: 'createUser', name, email, level, positionMode, ...given({ parentUid, referralCode }) } as const;
    return (await must(submit, made, `user ${name}`)).uid;
  }

  #copies(name: string): boolean {
    const { traders, followers } = this.#world;
    return [...traders, ...followers].some(({ user }) => user === name);
  }

  async #referralCode(name: string): Promise<string> {
    const { affiliationType, spotRatio, futuresRatio, userShare } = this.#world.agents.find(({ user }) => user === name)!;
    const uid = await this.#uid(this.#named(name));
    const terms = { affiliation: affiliationType, spotRatio, futuresRatio, ...given({ userShare }) };
    return (await must(this.#builder.submit, { type: 'makeAgent', uid, ...terms }, `agent ${name}`)).referralCode;
  }

  /** In groups that share their syncs. Uids follow the order of the file, so whoever refers to somebody is a group of his own. */
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

  async #fund({ name, balances }: WorldUser, uid: Uid): Promise<void> {
    const { submit } = this.#builder;
    await Promise.all(
      [...(balances ?? [])].map(([coin, size]) =>
        must(submit, { type: 'deposit', uid, coin, size, clientOid: `welcome-${coin}` as ClientOid }, `user ${name}`),
      ),
    );
  }

  async #makeTraders(): Promise<void> {
    const { traders, followers } = this.#world;
    const { submit } = this.#builder;
    for (const { user, profitShare, symbols, maxFollowers } of traders) {
      const uid = await this.#uid(this.#named(user));
      await must(submit, { type: 'makeLeader', uid, profitShare, ...given({ symbols, followersMax: maxFollowers }) }, `trader ${user}`);
    }
    for (const { user, trader, multiple, symbols } of followers) {
      const [uid, leader] = [await this.#uid(this.#named(user)), await this.#uid(this.#named(trader))];
      const copied = symbols ?? this.#instruments.filter(({ category }) => category === 'USDT-FUTURES').map(({ symbol }) => symbol);
      const settings = copied.map((symbol) => copyOf(symbol, multiple));
      const copying = { type: 'setCopySettings', uid, leader, mode: 'basic', autoCopy: symbols === undefined, settings } as const;
      await must(submit, copying, `follower ${user}`);
    }
  }

  async #playScenes(): Promise<void> {
    const { scenes } = this.#world;
    for (const { atMs, scene, file, ...wish } of scenes.slice(this.#builder.scenesPlayed()))
      await this.#builder.playScene({ ...wish, name: scene, delayMs: atMs, ...given({ file }) });
  }
}

/** Commands of a group: well below what the journal takes in one go. */
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

export const makeOwnWorld = (world: WorldFile, builder: OwnWorldBuilder): Promise<void> => new OwnWorld(world, builder).make();
