/** Private channels: what happens to a user's orders, fills, positions and account. */
import type { DataOf } from '../../contract/channels/channel.ts';
import type { channels } from '../../contract/channels/channels.ts';
import { namedIn } from '../../contract/channels/private-args.ts';
import { type StreamError, streamError } from '../../contract/channels/stream-codes.ts';
import { assetsOf } from '../../gateway/handlers/assets.ts';
import { accountTexts } from '../../gateway/handlers/futures-accounts.ts';
import { isolatedAssetTexts } from '../../gateway/handlers/isolated-texts.ts';
import { spotAssetTexts } from '../../gateway/handlers/spot-orders.ts';
import type { Uid } from '../../kernel/ids.ts';
import { moneyText } from '../../kernel/money.ts';
import { ok, type Result, refuse } from '../../kernel/result.ts';
import type { EventBatch } from '../../messages/events.ts';
import type { FillRow, OrderRow, PositionRow } from '../../messages/orders.ts';
import { type Category, isFutures } from '../../messages/vocabulary.ts';
import type { SettledFillRow } from '../../views/history/fills.ts';
import { type PositionFigures, positionFigures } from '../../views/position-figures.ts';
import type { OrderRecord } from '../../views/records.ts';
import type {
  ChannelSources,
  Opening,
  Producer,
  Publish,
  Push,
  SourceParts,
  Subscriber,
} from '../channel-source.ts';
import {
  settledFill,
  v2FillRow,
  v2MarginOrderRow,
  v2OrderRow,
  v2PositionRow,
  v3EndedRow,
  v3FillRow,
  v3OrderRow,
  v3PositionRow,
} from './private-texts.ts';
import { type Happening, type PrivateKind, UserTape, userSeqAfter } from './user-tape.ts';

/** The rows that an argument asks for; undefined means all. */
interface Asked {
  readonly category?: Category | undefined;
  readonly symbol?: string | undefined;
  readonly coin?: string | undefined;
  /** On an isolated pair. */
  readonly isolated?: boolean | undefined;
}

type Row = Pick<FillRow, 'category' | 'symbol'> & Pick<OrderRow, 'loanType'>;

const isAsked = ({ category, symbol, isolated }: Asked, row: Row): boolean =>
  (isolated === undefined || isolated === (row.loanType !== undefined)) &&
  (category === undefined || row.category === category) &&
  (symbol === undefined || row.symbol === symbol);

type Moment = Pick<EventBatch, 'at' | 'sequence'>;
type ChangeRow<Data> = (happening: Happening, moment: Moment) => Data | undefined;

/** Pushes a row for each event that makes one. */
const eventProducer = <Data>(
  tape: UserTape,
  { kind, uid }: { readonly kind: PrivateKind; readonly uid: Uid },
  rowOf: ChangeRow<Data>,
  publish: Publish<readonly Data[]>,
): Producer<readonly Data[]> => ({
  end: tape.listen(kind, uid, (happenings, moment) => {
    for (const happening of happenings) {
      const row = rowOf(happening, moment);
      const { userSeq } = happening;
      if (row !== undefined) publish({ action: 'snapshot', data: [row], userSeq });
    }
  }),
});

interface Whole<Data> {
  readonly rows: () => readonly Data[];
  /** Rows that only the push after these events has. */
  readonly last?: (happenings: readonly Happening[]) => readonly Data[];
}

/** Pushes the whole state after each command that may have changed it. */
function stateProducer<Data>(
  { views }: SourceParts,
  tape: UserTape,
  { kind, uid }: { readonly kind: PrivateKind; readonly uid: Uid },
  { rows, last = () => [] }: Whole<Data>,
  publish: Publish<readonly Data[]>,
): Producer<readonly Data[]> {
  return {
    snapshot: (): Push<readonly Data[]> => ({
      action: 'snapshot',
      data: rows(),
      userSeq: userSeqAfter(views.sequence()),
    }),
    end: tape.listen(kind, uid, (happenings) => {
      const ended = last(happenings);
      const data = [...rows(), ...ended];
      const { userSeq } = happenings.at(-1)!;
      publish({ action: 'snapshot', data, userSeq, stays: ended.length > 0 });
    }),
  };
}

const endedPositions = (happenings: readonly Happening[]): readonly PositionRow[] =>
  happenings.flatMap(({ event }) =>
    event.type === 'positionChanged' && event.position.size === 0n ? [event.position] : [],
  );

function openUser<Data>(
  { caller }: Subscriber,
  { category, symbol, coin }: Asked,
  begin: (uid: Uid, publish: Publish<Data>) => Producer<Data>,
): Result<Opening<Data>, StreamError> {
  const { uid } = caller!;
  return ok({
    key: [uid, category, symbol, coin].join(' '),
    begin: (publish) => begin(uid, publish),
  });
}

export function privateSources(
  parts: SourceParts,
): Pick<
  ChannelSources,
  | 'v2Orders'
  | 'v3Order'
  | 'v2Fill'
  | 'v3Fill'
  | 'v2Positions'
  | 'v3Position'
  | 'v2Account'
  | 'v2CrossedOrders'
  | 'v2IsolatedOrders'
  | 'v2CrossedAccount'
  | 'v2IsolatedAccount'
  | 'v3Account'
> {
  const { views, exchangeNow } = parts;
  const tape = new UserTape(views.orders);

  const listed = (asked: Asked): StreamError | undefined => {
    const { category, symbol } = asked;
    if (symbol === undefined || category === undefined) return undefined;
    if (views.listings.instrument(category, symbol) !== undefined) return undefined;
    return streamError('notFound', `${category} ${symbol} doesn't exist`);
  };

  const orders = <Data>(
    subscriber: Subscriber,
    asked: Asked,
    rowOf: (record: OrderRecord, fill: FillRow | undefined, moment: Moment) => Data,
  ): Result<Opening<readonly Data[]>, StreamError> => {
    const unlisted = listed(asked);
    if (unlisted !== undefined) return refuse(unlisted);
    const change: ChangeRow<Data> = ({ event, record }, moment) => {
      if (record === undefined || !isAsked(asked, record.order)) return undefined;
      const fill = event.type === 'fillSettled' ? event.fill : undefined;
      return rowOf(record, fill, moment);
    };
    return openUser(subscriber, asked, (uid, publish: Publish<readonly Data[]>) =>
      eventProducer(tape, { kind: 'order', uid }, change, publish),
    );
  };

  const fills = <Data>(
    subscriber: Subscriber,
    asked: Asked,
    rowOf: (fill: SettledFillRow) => Data,
  ): Result<Opening<readonly Data[]>, StreamError> => {
    const unlisted = listed(asked);
    if (unlisted !== undefined) return refuse(unlisted);
    const change: ChangeRow<Data> = ({ event }, moment) => {
      if (event.type !== 'fillSettled' || !isAsked(asked, event.fill)) return undefined;
      const positionMode = views.accounts.positionMode(event.fill.uid);
      return rowOf(settledFill(event.fill, positionMode, moment));
    };
    return openUser(subscriber, asked, (uid, publish: Publish<readonly Data[]>) =>
      eventProducer(tape, { kind: 'fill', uid }, change, publish),
    );
  };

  const positions = <Data>(
    subscriber: Subscriber,
    asked: Asked,
    rowOf: (figures: PositionFigures) => Data,
    endedRow?: (row: PositionRow) => Data,
  ): Result<Opening<readonly Data[]>, StreamError> => {
    const unlisted = listed(asked);
    if (unlisted !== undefined) return refuse(unlisted);
    return openUser(subscriber, asked, (uid, publish: Publish<readonly Data[]>) => {
      const rows = () => positionFigures(views, uid, (row) => isAsked(asked, row)).map(rowOf);
      const last =
        endedRow === undefined
          ? undefined
          : (happenings: readonly Happening[]) =>
              endedPositions(happenings)
                .filter((row) => isAsked(asked, row))
                .map(endedRow);
      const whole = last === undefined ? { rows } : { rows, last };
      return stateProducer(parts, tape, { kind: 'position', uid }, whole, publish);
    });
  };

  const account = <Data>(
    subscriber: Subscriber,
    asked: Asked,
    rowsOf: (uid: Uid) => readonly Data[],
  ): Result<Opening<readonly Data[]>, StreamError> =>
    openUser(subscriber, asked, (uid, publish: Publish<readonly Data[]>) =>
      stateProducer(parts, tape, { kind: 'account', uid }, { rows: () => rowsOf(uid) }, publish),
    );

  const v2AccountRows = (
    uid: Uid,
    category: Category,
    coin: string | undefined,
  ): DataOf<typeof channels.v2Account> => {
    if (!isFutures(category)) return spotAssetTexts(views, uid, coin);
    return accountTexts(views, uid, category, exchangeNow())
      .filter(({ marginCoin }) => coin === undefined || marginCoin === coin)
      .map((row) => ({
        marginCoin: row.marginCoin,
        frozen: row.locked,
        available: row.available,
        maxOpenPosAvailable: row.crossedMaxAvailable,
        maxTransferOut: row.maxTransferOut,
        equity: row.accountEquity,
        usdtEquity: row.usdtEquity,
        crossedRiskRate: row.crossedRiskRate,
        unrealizedPL: row.unrealizedPL,
        unionTotalMargin: row.unionTotalMargin,
        unionAvailable: row.unionAvailable,
        unionMm: row.unionMm,
      }));
  };

  const crossedRows = (uid: Uid, coin: string | undefined) =>
    spotAssetTexts(views, uid, coin).map((row) => {
      const { borrowed, interest } = views.accounts.balance(uid, row.coin);
      return {
        id: String(uid),
        coin: row.coin,
        available: row.available,
        frozen: row.frozen,
        borrow: moneyText(borrowed),
        interest: moneyText(interest),
        coupon: '0',
        uTime: row.uTime,
      };
    });

  const isolatedRows = (uid: Uid, coin: string | undefined) =>
    isolatedAssetTexts(views, uid, undefined)
      .filter((row) => coin === undefined || row.coin === coin)
      .map((asset) => {
        const { totalAmount: _, net: __, cTime: ___, ...row } = asset;
        return { id: String(uid), ...row };
      });

  const v3AccountRow = (uid: Uid) => {
    const { accounts } = views;
    const { accountEquity: totalEquity, assets, ...all } = assetsOf(views, uid, undefined);
    return {
      totalEquity,
      effEquity: all.effEquity,
      imr: all.imr,
      mmr: all.mmr,
      mgnRatio: all.mgnRatio,
      positionMgnRatio: all.positionMgnRatio,
      unrealisedPnL: all.unrealisedPnl,
      coin: assets.map(({ debt: debts, ...row }) => ({
        ...row,
        borrow: moneyText(accounts.balance(uid, row.coin).borrowed),
        debts,
      })),
    };
  };

  return {
    v2Orders: {
      open: ({ instType: category, instId }, _, subscriber) =>
        orders(subscriber, { category, symbol: namedIn(instId) }, (record, fill, { at }) =>
          v2OrderRow(views, record, fill, at),
        ),
      // The tape serves all private channels, and gets each batch once.
      onBatch: tape.onBatch,
    },
    v3Order: { open: (_, __, subscriber) => orders(subscriber, {}, v3OrderRow) },
    v2Fill: {
      open: ({ instType: category, instId }, _, subscriber) =>
        fills(subscriber, { category, symbol: namedIn(instId) }, v2FillRow),
    },
    v3Fill: { open: (_, __, subscriber) => fills(subscriber, {}, v3FillRow) },
    v2Positions: {
      open: ({ instType: category, instId }, _, subscriber) =>
        positions(subscriber, { category, symbol: namedIn(instId) }, v2PositionRow),
    },
    v3Position: {
      open: (_, __, subscriber) => positions(subscriber, {}, v3PositionRow, v3EndedRow),
    },
    v2Account: {
      open: ({ instType: category, coin: given }, _, subscriber) => {
        const coin = namedIn(given);
        return account(subscriber, { category, coin }, (uid) => v2AccountRows(uid, category, coin));
      },
    },
    v2CrossedOrders: {
      open: ({ instType: category, instId }, _, subscriber) =>
        orders(
          subscriber,
          { category, symbol: namedIn(instId), isolated: false },
          v2MarginOrderRow,
        ),
    },
    v2IsolatedOrders: {
      open: ({ instType: category, instId }, _, subscriber) =>
        orders(subscriber, { category, symbol: namedIn(instId), isolated: true }, v2MarginOrderRow),
    },
    v2CrossedAccount: {
      open: ({ coin: given }, _, subscriber) => {
        const coin = namedIn(given);
        return account(subscriber, { coin }, (uid) => crossedRows(uid, coin));
      },
    },
    v2IsolatedAccount: {
      open: ({ coin: given }, _, subscriber) => {
        const coin = namedIn(given);
        return account(subscriber, { coin }, (uid) => isolatedRows(uid, coin));
      },
    },
    v3Account: {
      open: (_, __, subscriber) => account(subscriber, {}, (uid) => [v3AccountRow(uid)]),
    },
  };
}
