/** Lists of orders, fills, closed positions and triggers. */
import {
  classicPosition,
  type EmittedFill,
  fillRows,
  fillTexts,
  unifiedPosition,
} from './fill-rows.ts';
import type { List } from './list.ts';
import {
  cursor,
  ending,
  names,
  older,
  pairPage,
  plain,
  ranged,
  span,
  v2,
  v3,
} from './list-forms.ts';
import { type OrderState, orderRows, orderTexts } from './order-rows.ts';
import { having, type Row } from './row.ts';
import { type TriggerState, triggerRows, triggerTexts } from './trigger-rows.ts';

const orders =
  (
    shownAs: (run: OrderState) => Row['shown'],
    isMeant: (run: OrderState) => boolean,
  ): List['rows'] =>
  (known, caller) =>
    orderRows(
      having(known.allOrders, ({ order }) => order.uid as number, caller).filter(isMeant),
      shownAs,
    );
const isOpen = ({ ended }: OrderState): boolean => !ended;
const hasEnded = ({ ended }: OrderState): boolean => ended;
const isFutures = ({ order }: OrderState): boolean => order.category.endsWith('FUTURES');
const isSpot = ({ order }: OrderState): boolean => order.category === 'SPOT';
const isPair = ({ order }: OrderState): boolean => order.loanType !== undefined;
const and =
  (one: (run: OrderState) => boolean, other: (run: OrderState) => boolean) =>
  (run: OrderState): boolean =>
    one(run) && other(run);

const orderLists: readonly List[] = [
  {
    name: 'listOpenOrders',
    rows: orders(orderTexts.unified, isOpen),
    filters: ['category', 'symbol'],
    ...v3,
    ...span(30, { onlyGiven: true }),
    ...ending('list', 'cursor'),
  },
  {
    name: 'listOrderHistory',
    rows: orders(orderTexts.unified, hasEnded),
    filters: ['category', 'symbol'],
    ...v3,
    ...span(30),
    ...ending('list', 'cursor'),
  },
  {
    name: 'listOpenFuturesOrders',
    rows: orders(orderTexts.futures, and(isOpen, isFutures)),
    needed: ['productType'],
    filters: ['symbol', 'orderId', 'clientOid', 'status', 'orderSource'],
    ...v2,
    ...span(90, { onlyGiven: true }),
    ...ending('entrustedList', 'endId'),
  },
  {
    name: 'listFuturesOrderHistory',
    rows: orders(orderTexts.futures, and(hasEnded, isFutures)),
    needed: ['productType'],
    filters: ['symbol', 'orderId', 'clientOid', 'orderSource'],
    names,
    ...v2,
    ...span(90),
    ...ending('entrustedList', 'endId'),
  },
  {
    name: 'listOpenSpotOrders',
    rows: orders(orderTexts.spot, and(isOpen, isSpot)),
    filters: ['symbol', 'orderId'],
    ...v2,
    ...span(90, { onlyGiven: true }),
    ...plain,
  },
  {
    name: 'listSpotOrderHistory',
    rows: orders(orderTexts.spot, and(hasEnded, isSpot)),
    filters: ['symbol', 'orderId'],
    names,
    ...v2,
    ...span(90),
    ...plain,
  },
  {
    name: 'listOpenIsolatedOrders',
    rows: orders(orderTexts.isolated, and(isOpen, isPair)),
    filters: ['symbol', 'orderId', 'clientOid'],
    ...pairPage,
    ...span(90, { onlyGiven: true }),
    ...ranged('orderList'),
  },
  {
    name: 'listIsolatedOrderHistory',
    rows: orders(orderTexts.isolated, and(hasEnded, isPair)),
    filters: ['symbol', 'orderId', 'clientOid', 'enterPointSource'],
    names,
    ...pairPage,
    ...span(90),
    ...ranged('orderList'),
  },
];

const fills =
  (
    shownAs: (fill: EmittedFill) => Row['shown'],
    isMeant: (fill: EmittedFill['fill']) => boolean,
  ): List['rows'] =>
  (known, caller) =>
    fillRows(
      having(known.fills, ({ fill }) => fill.uid as number, caller).filter(({ fill }) =>
        isMeant(fill),
      ),
      shownAs,
    );

const closed =
  (shownAs: typeof classicPosition): List['rows'] =>
  (known, caller) =>
    known.positions.filter(({ uid }) => uid === caller).map(shownAs);

const fillLists: readonly List[] = [
  {
    name: 'listFills',
    rows: fills(fillTexts.unified, () => true),
    filters: ['category', 'symbol', 'orderId'],
    names: ['orderId'],
    ...v3,
    ...span(30),
    ...ending('list', 'cursor'),
  },
  {
    name: 'listFuturesFills',
    rows: fills(fillTexts.futures, ({ category }) => category.endsWith('FUTURES')),
    needed: ['productType'],
    filters: ['symbol', 'orderId'],
    names: ['orderId'],
    ...v2,
    ...span(90),
    ...ending('fillList', 'endId'),
  },
  {
    name: 'listSpotFills',
    rows: fills(fillTexts.spot, ({ category }) => category === 'SPOT'),
    filters: ['symbol', 'orderId'],
    names: ['orderId'],
    ...v2,
    ...span(90),
    ...plain,
  },
  {
    name: 'listIsolatedFills',
    rows: fills(fillTexts.isolated, ({ loanType }) => loanType !== undefined),
    needed: ['symbol'],
    filters: ['orderId'],
    ...pairPage,
    ...span(90, { needs: ['startTime'] }),
    ...ranged('fills'),
  },
  {
    name: 'listFuturesPositionHistory',
    rows: closed(classicPosition),
    filters: ['productType', 'symbol'],
    size: ['limit', 20, 100],
    ...older,
    ...span(90),
    ...ending('list', 'endId'),
  },
  {
    name: 'listPositionHistory',
    rows: closed(unifiedPosition),
    needed: ['category'],
    filters: ['symbol'],
    size: ['limit', 20, 100],
    ...cursor,
    ...span(30),
    ...ending('list', 'cursor'),
  },
];

const triggers =
  (shownAs: (run: TriggerState) => Row['shown'], isLive: boolean, ofAll = false): List['rows'] =>
  (known, caller) =>
    triggerRows(
      [...known.triggers.values()].filter(
        ({ trigger, status }) =>
          (ofAll || trigger.uid === caller) && (status === 'live') === isLive,
      ),
      shownAs,
    );

const plans = {
  needed: ['planType', 'productType'],
  ...v2,
  ...ending('entrustedList', 'endId'),
} as const;
const triggerLists: readonly List[] = [
  {
    name: 'listPendingTriggerOrders',
    rows: triggers(triggerTexts.pending, true),
    filters: ['symbol', 'orderId', 'clientOid'],
    ...plans,
    ...span(90, { onlyGiven: true }),
  },
  {
    name: 'listTriggerOrderHistory',
    rows: triggers(triggerTexts.ended, false),
    filters: ['symbol', 'orderId', 'clientOid', 'planStatus'],
    names,
    ...plans,
    ...span(90),
  },
  {
    name: 'listOpenStrategyOrders',
    rows: triggers(triggerTexts.unified, true),
    needed: ['category'],
    filters: ['type', 'symbol'],
    size: ['limit', 500, 500],
    ...cursor,
    ...plain,
  },
  {
    name: 'listStrategyOrderHistory',
    rows: triggers(triggerTexts.unified, false),
    needed: ['category'],
    filters: ['type', 'symbol'],
    ...v3,
    ...span(90),
    ...ending('list', 'cursor'),
  },
  {
    name: 'listEndedTriggers',
    ofAll: true,
    rows: triggers(triggerTexts.forOperator, false, true),
    filters: ['uid', 'status'],
    size: ['limit', 100, 1_000],
    ...older,
    ...plain,
  },
];

export const tradingLists: readonly List[] = [...orderLists, ...fillLists, ...triggerLists];
