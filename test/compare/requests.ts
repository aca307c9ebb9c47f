/**
 * Draws requests for every call that changes something: bodies that fit their schema, mostly for
 * markets that trade.
 */
import type { Endpoint } from '../../src/contract/endpoint.ts';
import type { JsonSchema } from '../../src/contract/schema.ts';
import type { State } from '../../src/core/state/state.ts';
import { type Random, seededRandom } from '../../src/kernel/random.ts';
import type { Question } from './compared.ts';
import { type Known, knownIn, valuesFor } from './known-values.ts';
import { everyEndpoint, isKeyed, isList } from './questions.ts';

/** For each call of an account, beside the example that its row may have. */
const DRAWS = 2;
/** One in this many accounts sends requests. */
const ASKING_EVERY = 3;

type Market = Known['markets'][number];

class Drawing {
  readonly #random: Random;
  readonly #known: Known;
  readonly #market: Market | undefined;

  constructor(random: Random, known: Known) {
    this.#random = random;
    this.#known = known;
    this.#market = known.markets.length === 0 ? undefined : random.pick(known.markets);
  }

  content(schema: JsonSchema): unknown {
    if (schema.type === 'array') return [this.#value('', schema.items ?? {})];
    const { properties = {}, required = [] } = schema;
    const drawn = Object.entries(properties).flatMap(([name, field]) => {
      const isLeftOut = !required.includes(name) && this.#random.below(3) > 0;
      return isLeftOut ? [] : [[name, this.#value(name, field)] as const];
    });
    return Object.fromEntries(drawn);
  }

  #value(name: string, schema: JsonSchema): unknown {
    if (schema.type === 'object') return this.content(schema);
    if (schema.type === 'array') return [this.#value(name, schema.items ?? {})];
    if (schema.type === 'boolean') return this.#random.below(2) === 0;
    const input = this.#ofMarket(name, schema);
    if (input !== undefined) return input;
    const values = valuesFor(name, schema, this.#known);
    return values.length === 0 ? '1' : this.#random.pick(values);
  }

  /** Fields that must agree use the same market. */
  #ofMarket(name: string, { enum: words, format }: JsonSchema): string | undefined {
    const market = this.#market;
    if (market === undefined) return undefined;
    if (/symbol$/i.test(name)) return market.symbol;
    if (/price$/i.test(name)) return market.price;
    if (/oid$/i.test(name)) return `own-${this.#random.below(1_000)}`;
    if (/leverage$/i.test(name)) return this.#random.pick(['5', '20']);
    if (/size$|qty$|amount$/i.test(name)) return this.#random.pick(['0.01', '0.1', '1', '20']);
    if (format === 'decimal') return this.#random.pick(['0.1', '1', '2']);
    if (words?.includes(market.category) === true) return market.category;
    return undefined;
  }
}

function requestsOf(row: Endpoint, uid: number, known: Known, random: Random): readonly Question[] {
  const { method, path, example } = row;
  const drawn = Array.from({ length: DRAWS }, () =>
    new Drawing(random, known).content(row.request.schema),
  );
  const contents = example === undefined ? drawn : [example, ...drawn];
  return contents.map((content) => ({ method, path, uid, content }));
}

/** In order of execution: the operator's calls last, because they affect all accounts. */
export function requestsIn(state: State): readonly Question[] {
  const random = seededRandom(state.sequence);
  const changes = everyEndpoint.filter((row) => !isList(row));
  const ask = (rows: readonly Endpoint[], uid: number): readonly Question[] => {
    const known = knownIn(state, uid);
    return rows.flatMap((row) => requestsOf(row, uid, known, random));
  };
  const keyed = changes.filter(isKeyed);
  const asking = [...state.accounts.keys()].filter((_, place) => place % ASKING_EVERY === 0);
  return [
    ...asking.flatMap((uid) => ask(keyed, uid)),
    ...ask(
      changes.filter((row) => !isKeyed(row)),
      0,
    ),
  ];
}
