/**
 * Typical bugs of exchanges: a rounding in the wrong direction, a missing release, an off-by-one
 * comparison, an answer before the sync.
 */
import type { Bug } from './bug.ts';

const MATCHING: readonly Bug[] = [
  {
    name: 'a post-only order takes at its own price',
    file: 'src/core/trading/risk/first-fill.ts',
    right: "side === 'buy' ? tick <= limit",
    wrong: "side === 'buy' ? tick < limit",
  },
  {
    name: 'fill-or-kill is content with a part',
    file: 'src/core/trading/matching/fill-or-kill.ts',
    right: 'if (found < taker.left) return undefined;',
    wrong: 'if (found === 0) return undefined;',
  },
  {
    name: 'what is left of an ioc order rests',
    file: 'src/core/trading/matching/match-order.ts',
    right: "return mayRest(order.timeInForce) ? 'rests' : 'iocNotFull';",
    wrong: "return 'rests';",
  },
  {
    name: 'self-trade prevention cancels the maker only, where it should cancel both',
    file: 'src/core/trading/matching/match-order.ts',
    right:
      "        this.stopped = 'selfTrade';\n        return this.#remove(maker, 'selfTrade', REMOVE_MAKER_AND_STOP);",
    wrong: "        return this.#remove(maker, 'selfTrade', REMOVE_MAKER);",
  },
  {
    name: 'a reduce-only maker trades more than its position',
    file: 'src/core/trading/matching/match-order.ts',
    right: 'const tradable = maker.reduceOnly\n',
    wrong: 'const tradable = (maker.reduceOnly && wanted < 0)\n',
  },
  {
    name: 'a fill is counted in the lots and not in the value',
    file: 'src/core/trading/risk/proposed-fill.ts',
    right: '  order.filledValue = plus(order.filledValue, value);\n',
    wrong: '',
  },
];

const ORDERS: readonly Bug[] = [
  {
    name: 'an order that ends keeps its place in the caps',
    file: 'src/core/trading/orders/open-orders.ts',
    right: '  countOpenOrder(accountOf(step, order.uid).account, order, -1);\n',
    wrong: '',
  },
  {
    name: 'an order that ends keeps its hold',
    file: 'src/core/trading/orders/open-orders.ts',
    right: '  releaseRest(step, order);\n',
    wrong: '',
  },
  {
    name: 'an order that ends leaves its position locked',
    file: 'src/core/trading/orders/open-orders.ts',
    right: '  changeLocked(step, order, 0 - order.left);\n',
    wrong: '',
  },
  {
    name: 'a cap lets one order too many in',
    file: 'src/core/trading/orders/open-orders.ts',
    right: 'account.openFutures < OPEN_FUTURES_ORDERS_MAX',
    wrong: 'account.openFutures <= OPEN_FUTURES_ORDERS_MAX',
  },
  {
    name: 'a client id is remembered a millisecond too long',
    file: 'src/core/trading/orders/client-oids.ts',
    right: 'at - use.at < CLIENT_OID_AGE_MS_MAX',
    wrong: 'at - use.at <= CLIENT_OID_AGE_MS_MAX',
  },
  {
    name: 'the share of a hold is rounded up',
    file: 'src/core/margin/holds.ts',
    right: "(divide(hold.amount * BigInt(lots), BigInt(hold.lots), 'down') as Amount)",
    wrong: "(divide(hold.amount * BigInt(lots), BigInt(hold.lots), 'up') as Amount)",
  },
  {
    name: 'a modified order keeps its place in line',
    file: 'src/core/trading/orders/change-order.ts',
    right: '  if (!order.waiting) order.priority = takeId(step);\n',
    wrong: '',
  },
  {
    name: 'an order that is made smaller keeps what it held for the rest',
    file: 'src/core/trading/orders/change-order.ts',
    right: 'releaseExcess(step, order, Math.max(0, openingLots(order) - givenUp) as Lots);',
    wrong: 'releaseExcess(step, order, change.left);',
  },
  {
    name: 'a modified order must reserve its whole hold again',
    file: 'src/core/trading/orders/order-money.ts',
    right: 'const more = minus(amount, heldBy(replacing));',
    wrong: 'const more = amount;',
  },
  {
    name: 'reduce-only orders are trimmed one too far',
    file: 'src/core/trading/orders/reduce-only.ts',
    right: 'if (sum <= room) return;',
    wrong: 'if (sum < room) return;',
  },
];

const MONEY: readonly Bug[] = [
  {
    name: 'profit is rounded up, to the trader',
    file: 'src/formulas/exact.ts',
    right:
      "return divide(numerator, denominator, numerator < 0n === denominator < 0n ? 'down' : 'up');",
    wrong:
      "return divide(numerator, denominator, numerator < 0n === denominator < 0n ? 'up' : 'down');",
  },
  {
    name: 'the part of an entry that closes is rounded down',
    file: 'src/formulas/entry.ts',
    right: "divide(entry.cost * closing, entry.size, 'nearest') as Product",
    wrong: "divide(entry.cost * closing, entry.size, 'down') as Product",
  },
  {
    name: 'fees of closing are not charged',
    file: 'src/core/trading/positions/fill-position.ts',
    right: 'const net = minus(plus(marginPart, profit), fee);',
    wrong: 'const net = plus(marginPart, profit);',
  },
  {
    name: 'the margin of a part that closes stays behind',
    file: 'src/core/trading/positions/fill-position.ts',
    right: '  position.margin = minus(position.margin, marginOut);\n',
    wrong: '',
  },
  {
    name: 'a loan is paid back before its interest',
    file: 'src/core/margin/debts.ts',
    right:
      '  const interest = least(debt.interest, upTo);\n  const principal = least(debt.principal, minus(upTo, interest));',
    wrong:
      '  const principal = least(debt.principal, upTo);\n  const interest = least(debt.interest, minus(upTo, principal));',
  },
  {
    name: 'interest is rounded down',
    file: 'src/core/trading/charges/interest.ts',
    right: "rate, 'up')",
    wrong: "rate, 'down')",
  },
  {
    name: 'a deposit asked for again with another size is answered as the first',
    file: 'src/core/transfers/deposits.ts',
    right: 'return first.content === content\n',
    wrong: 'return first !== undefined\n',
  },
  {
    name: 'funding is paid out of a position and not taken from its margin',
    file: 'src/core/trading/charges/charge-funding.ts',
    right: '  if (isolated) position.margin = plus(position.margin, amount);\n}',
    wrong: '}',
  },
  {
    name: 'accounts that receive funding gain the dust',
    file: 'src/core/funding/settle-funding.ts',
    right: "divide(due * payout, claims, 'down') as Amount",
    wrong: "divide(due * payout, claims, 'up') as Amount",
  },
  {
    name: 'a maker with pending funding trades before it is charged',
    file: 'src/core/trading/matching/match-order.ts',
    right: '    settlePendingCharges(this.#step, maker.uid);\n',
    wrong: '',
  },
  {
    name: 'a restart settles all pending charges at once',
    file: 'src/core/liquidation/examine.ts',
    right: '  const { risk } = step.derived;\n',
    wrong: '  const { risk } = step.derived;\n  settlePendingCharges(step, uid);\n',
  },
  {
    name: 'an ended order releases its hold before its account is charged',
    file: 'src/core/trading/orders/open-orders.ts',
    right: '  settlePendingCharges(step, order.uid);\n',
    wrong: '',
  },
  {
    name: 'an account that receives money is charged after it has repaid its loan',
    file: 'src/core/withdrawals/transfer-to-user.ts',
    right: '  settlePendingCharges(step, toUid);\n',
    wrong: '',
  },
];

const RISK: readonly Bug[] = [
  {
    name: 'the share of a copy that is partly closed is not kept for its leader',
    file: 'src/core/margin/account-margin.ts',
    right:
      '  for (const [coin, amount] of derived.tracked.sharesDue.of(uid)) sums.need(coin, amount);\n',
    wrong: '',
  },
  {
    name: 'an order that has waited in a halt is not asked for its margin again',
    file: 'src/core/trading/orders/resume.ts',
    right: 'if (coversWhatOpensAtOnce(step, order, market)) matchOrder(step, order, market);',
    wrong:
      'if (order.left > 0 || coversWhatOpensAtOnce(step, order, market)) matchOrder(step, order, market);',
  },
  {
    name: 'a mark price liquidates no account',
    file: 'src/core/reactions.ts',
    right: 'markPriceMoved: [reachBy.mark, watchMark',
    wrong: 'markPriceMoved: [reachBy.mark',
  },
  {
    name: 'a coin whose collateral rate falls liquidates no account',
    file: 'src/core/reactions.ts',
    right: 'coinListed: [remarginWithCoin, watchAllForCoin, ',
    wrong: 'coinListed: [remarginWithCoin, ',
  },
  {
    name: 'a position at its maintenance is left alone',
    file: 'src/core/liquidation/examine.ts',
    right: 'if (maintenanceBuffer > 0n)\n    return {\n',
    wrong: 'if (maintenanceBuffer >= 0n)\n    return {\n',
  },
  {
    name: 'an account whose price is reached from above is not checked',
    file: 'src/core/derived/risk-index.ts',
    right: '    for (const { value } of ends.below.downTo(at)) this.mark(value);\n',
    wrong: '',
  },
  {
    name: 'the mark of a frozen index still liquidates',
    file: 'src/core/prices/market-prices.ts',
    right: 'isSymbolIndexStale(state, instrument, at) &&\n',
    wrong: 'at < 0 &&\n',
  },
  {
    name: 'liquidation continues when the account is safe again',
    file: 'src/core/liquidation/liquidate-account.ts',
    right: 'if (accountBuffer(step, uid) > 0n || isFree(step, uid)) return;',
    wrong: 'if (isFree(step, uid)) return;',
  },
];

const TIME_AND_STATE: readonly Bug[] = [
  {
    name: 'two hours that pass together are both fixed before any account is charged',
    file: 'src/core/engine.ts',
    right: '    if (hourOf(timer.due) > hourOf(state.at)) drainPendingCharges(core, emitted);\n',
    wrong: '',
  },
  {
    name: 'an empty queue counts as a queue',
    file: 'src/core/trading/charges/pending-charges.ts',
    right: '  if (pendingCharges.length === 0) return;\n',
    wrong: '',
  },
  {
    name: 'orders of one price come back from a snapshot by id, not by priority',
    file: 'src/core/rebuild.ts',
    right: 'left.priority - right.priority',
    wrong: 'right.priority - left.priority',
  },
  {
    name: 'orders that wait for their symbol are forgotten by a snapshot',
    file: 'src/core/rebuild.ts',
    right:
      '    if (order.waiting) waitingIn(derived, specOf(derived, order.key).bookKey).add(order.id);\n',
    wrong: '',
  },
  {
    name: 'timers of one moment fire newest first',
    file: 'src/core/transaction/step.ts',
    right: '? left.id < right.id : one',
    wrong: '? left.id > right.id : one',
  },
];

const JOURNAL: readonly Bug[] = [
  {
    name: 'an answer before the sync',
    file: 'src/journal/journal.ts',
    right: '      await segment.file.sync();\n',
    wrong: '',
  },
  {
    name: 'the exchange clock follows the wall clock back',
    file: 'src/journal/sequencer.ts',
    right: 'return now > this.#machine.at ? now : this.#machine.at;',
    wrong: 'return now;',
  },
  {
    name: 'a later batch behind damage is not looked for',
    file: 'src/journal/batches.ts',
    right: 'if (frame !== undefined && frame.batch > cursor.batch) return offset;',
    wrong: 'if (frame !== undefined && frame.batch < cursor.batch) return offset;',
  },
  {
    name: 'a snapshot is renamed before it is synced',
    file: 'src/journal/snapshots.ts',
    right: '    await file.sync();\n',
    wrong: '',
  },
  {
    name: 'answers are sent before the views have the events',
    file: 'src/journal/sequencer.ts',
    right: '    if (!this.#fatal) this.#publish(executed);\n',
    wrong:
      '    for (let at = 0; at < answers.length; at++) answers[at]!(executed[at]!.outcome);\n    if (!this.#fatal) this.#publish(executed);\n',
  },
];

export const BUGS: readonly Bug[] = [
  ...MATCHING,
  ...ORDERS,
  ...MONEY,
  ...RISK,
  ...TIME_AND_STATE,
  ...JOURNAL,
];
