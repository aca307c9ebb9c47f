/** Operator API: prices, listings, the simulated market, the clock. */
import type { operatorMarketRows } from '../../contract/operator-market.ts';
import { wireRejection } from '../../contract/wire-rejections.ts';
import { instrumentStatusWords, sceneWords, wireWord } from '../../contract/wire-words.ts';
import { dailyLimitOf } from '../../formulas/withdrawal-limits.ts';
import { given } from '../../kernel/given.ts';
import { idText } from '../../kernel/ids.ts';
import { moneyText, type Price } from '../../kernel/money.ts';
import { ok, refuse } from '../../kernel/result.ts';
import type { Coin } from '../../messages/listings.ts';
import type { SceneName } from '../../messages/scenes.ts';
import { LEVELS } from '../../messages/vocabulary.ts';
import type { HandlersOf, Reply } from './handler.ts';
import { type HandlerParts, type SceneRequest, submitAndShow } from './parts.ts';

const priceText = (price: Price | undefined): string | null =>
  price === undefined ? null : moneyText(price);
const nothing = () => null;

/**
 * Shows the daily withdrawal limit of every level, the coin's own or the default. Other limits that
 * the coin does not set are omitted.
 */
const coinRow = ({
  secondApprovalUsd,
  houseDailyLimitUsd,
  dailyLimitsUsd,
  hourlyInterestRate,
  ...coin
}: Coin) => ({
  ...coin,
  dailyLimitsUsd: LEVELS.map((level) => ({
    level,
    limit: moneyText(dailyLimitOf({ dailyLimitsUsd }, level)),
  })),
  ...given({ secondApprovalUsd, houseDailyLimitUsd, hourlyInterestRate }),
});

type SceneInput = {
  readonly [Name in keyof Omit<SceneRequest, 'name'>]: SceneRequest[Name] | undefined;
};

/** Refuses scene fields without a scene, and a scene without a symbol. */
function sceneRequest(
  name: SceneName | undefined,
  request: SceneInput,
): Reply<SceneRequest | undefined> {
  const { category, symbol, ...rest } = request;
  if (name === undefined)
    return Object.values(request).every((value) => value === undefined)
      ? ok(undefined)
      : refuse(wireRejection('fieldMissing', 'scene'));
  if (category === undefined) return refuse(wireRejection('fieldMissing', 'category'));
  if (symbol === undefined) return refuse(wireRejection('fieldMissing', 'symbol'));
  return ok({ category, symbol, name, ...rest });
}

type MarketHandlers = HandlersOf<typeof operatorMarketRows>;

/**
 * The engine names the list of prices `prices`, but the list is the whole body. For a list
 * of one it gives no index, so the index is 0.
 */
const inBody = (field: string): string =>
  field.startsWith('prices[')
    ? field.replaceAll('prices[', 'body[')
    : field.replace(/\w+/g, 'body[0].$&');

const pricingAndListing = ({
  submit,
  views,
}: HandlerParts): Omit<MarketHandlers, MarketName | ClockName> => ({
  setPrices: async (input) => {
    const set = input.map(({ category, symbol, index, mark, force }) => ({
      category,
      symbol,
      index,
      mark: mark ?? undefined,
      releaseMark: mark === null,
      force,
    }));
    const reply = await submitAndShow(submit, { type: 'setPrices', prices: set }, nothing);
    if (reply.ok || reply.refusal.field === undefined) return reply;
    const { reason, field, detail } = reply.refusal;
    return refuse(wireRejection(reason, inBody(field), detail));
  },

  listInstruments: ({ category, symbol }) => {
    const listed = views.listings
      .instruments(category)
      .filter(({ instrument }) => symbol === undefined || instrument.symbol === symbol);
    return ok(
      listed.map(
        ({
          instrument: { followSizeMax, followSizeMin, fundingRateMax, ...instrument },
          status,
        }) => ({
          ...instrument,
          ...given({ followSizeMax, followSizeMin, fundingRateMax }),
          status: wireWord(instrumentStatusWords, status),
          indexPrice: priceText(views.prices.index(instrument.category, instrument.symbol)),
          markPrice: priceText(views.prices.mark(instrument.category, instrument.symbol)),
        }),
      ),
    );
  },

  listInstrument: (instrument) =>
    submitAndShow(submit, { type: 'listInstrument', instrument }, nothing),

  setInstrumentStatus: (change) =>
    submitAndShow(submit, { type: 'setInstrumentStatus', ...change }, nothing),

  listCoins: ({ coin }) =>
    ok(
      views.listings
        .coins()
        .filter((listed) => coin === undefined || listed.coin === coin)
        .map(coinRow),
    ),

  listCoin: ({ operator, ...coin }) =>
    submitAndShow(submit, { type: 'listCoin', coin, operator }, nothing),
});

type MarketName = 'switchMarket' | 'getMarket';
const simulatedMarket = ({ views, controls }: HandlerParts): Pick<MarketHandlers, MarketName> => ({
  switchMarket: async ({ state, scene: name, ...request }) => {
    const scene = sceneRequest(name, request);
    if (!scene.ok) return scene;
    if (state === undefined && name === undefined)
      return refuse(wireRejection('fieldMissing', 'state'));
    const changed = await controls.changeMarket({ on: state, scene: scene.value });
    return changed.ok ? ok(null) : changed;
  },

  getMarket: () =>
    ok({
      state: views.clock.marketOn() ? 'on' : 'off',
      scenes: views.clock
        .scenes()
        .map(({ id, name, category, symbol, percent, down, startsAt, endsAt }) => ({
          id: idText(id),
          scene: wireWord(sceneWords, name),
          category,
          symbol,
          percent: down && /[1-9]/.test(percent) ? `-${percent}` : percent,
          startTime: String(startsAt),
          endTime: String(endsAt),
        })),
    }),
});

type ClockName = 'getClock' | 'moveClock';
const exchangeClock = ({
  views,
  clock,
  exchangeNow,
  controls,
  chain,
}: HandlerParts): Pick<MarketHandlers, ClockName> => ({
  getClock: () => {
    const wall = clock.wall();
    const now = exchangeNow(wall);
    const way = controls.clockWay();
    return ok({
      now: String(now),
      wall: String(wall),
      offsetMs: String(now - wall),
      frozen: views.clock.setting().frozenAt !== undefined,
      rate: String(views.clock.setting().fast?.rate ?? 1),
      movingFrom: way === undefined ? null : String(way.from),
      movingTo: way === undefined ? null : String(way.to),
    });
  },

  moveClock: async (move) => {
    const moved = await controls.moveClock(move);
    // Blocks follow the exchange time: confirmations that fall due are settled before the answer.
    if (moved.ok) await chain.settle();
    return moved.ok ? ok({ now: String(moved.value.now) }) : moved;
  },
});

export const operatorMarketHandlers = (parts: HandlerParts): MarketHandlers => ({
  ...pricingAndListing(parts),
  ...simulatedMarket(parts),
  ...exchangeClock(parts),
});
