/**
 * How the history file came to its present form: append, never change one that was released.
 * History is derived from the journal, so a migration that adds a table, or changes what rows hold,
 * also calls `forget`: the store then asks to be fed from the first command again.
 */
import { type Migration, sql } from 'kysely';
import { indexLists } from './index-migrations.ts';
import { createRows, forget, forgetAll } from './migration-steps.ts';
import type { AnyKysely } from './table.ts';
import {
  keepLinesInBlocks,
  keepRowsInBlocks,
  keepRowsTogether,
  shortenEras,
} from './together-migrations.ts';

const createLedgerAndDeposits: Migration = {
  up: async (database: AnyKysely) => {
    const { schema } = database;
    await schema
      .createTable('progress')
      .addColumn('one', 'integer', (column) => column.primaryKey().check(sql`one = 1`))
      .addColumn('applied', 'integer', (column) => column.notNull())
      .execute();
    await database.insertInto('progress').values({ one: 1, applied: 0 }).execute();

    await schema
      .createTable('ledger_lines')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('time', 'integer', (column) => column.notNull())
      .addColumn('sequence', 'integer', (column) => column.notNull())
      .addColumn('uid', 'integer')
      .addColumn('coin', 'text', (column) => column.notNull())
      .addColumn('account', 'text', (column) => column.notNull())
      .addColumn('amount', 'text', (column) => column.notNull())
      .addColumn('balance', 'text', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .execute();
    // One index for each way to ask, so that a page costs the same for a user with ten lines and
    // one with ten million.
    await schema
      .createIndex('ledger_lines_of_user')
      .on('ledger_lines')
      .columns(['uid', 'id'])
      .execute();
    await schema
      .createIndex('ledger_lines_of_coin')
      .on('ledger_lines')
      .columns(['uid', 'coin', 'id'])
      .execute();

    await schema
      .createTable('deposits')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('time', 'integer', (column) => column.notNull())
      .addColumn('sequence', 'integer', (column) => column.notNull())
      .addColumn('uid', 'integer', (column) => column.notNull())
      .addColumn('coin', 'text', (column) => column.notNull())
      .addColumn('amount', 'text', (column) => column.notNull())
      .addColumn('client_oid', 'text', (column) => column.notNull())
      .execute();
    await schema.createIndex('deposits_of_user').on('deposits').columns(['uid', 'id']).execute();
  },
};

const createOrdersFillsAndPositions: Migration = {
  up: async (database: AnyKysely) => {
    const traded = {
      uid: 'integer',
      client_oid: 'text',
      category: 'text',
      symbol: 'text',
      side: 'text',
      order_type: 'text',
    } as const;
    const position = { 'position_side?': 'text', position_mode: 'text' } as const;
    await createRows(database, 'ended_orders', {
      ...traded,
      ...position,
      time_in_force: 'text',
      'price?': 'text',
      size: 'text',
      'quote_amount?': 'text',
      status: 'text',
      'intent?': 'text',
      'margin_mode?': 'text',
      reduce_only: 'integer',
      self_trade_mode: 'text',
      execution_kind: 'text',
      'loan_type?': 'text',
      fee_coin: 'text',
      'leverage?': 'text',
      filled_size: 'text',
      filled_value: 'text',
      fee: 'text',
      profit: 'text',
      'cancel_reason?': 'text',
      updated_at: 'integer',
    });
    await createRows(database, 'fills', {
      ...traded,
      ...position,
      trade_id: 'integer',
      order_id: 'integer',
      price: 'text',
      size: 'text',
      value: 'text',
      role: 'text',
      fee_coin: 'text',
      fee: 'text',
      'intent?': 'text',
      profit: 'text',
      execution_kind: 'text',
      'loan_type?': 'text',
      self_trade: 'integer',
    });
    await createRows(database, 'closed_positions', {
      uid: 'integer',
      category: 'text',
      symbol: 'text',
      margin_coin: 'text',
      side: 'text',
      position_mode: 'text',
      margin_mode: 'text',
      leverage: 'text',
      realised_profit: 'text',
      'funding?': 'text',
      open_fees: 'text',
      close_fees: 'text',
      closed_size: 'text',
      closed_price: 'text',
      closed_value: 'text',
      opened_size: 'text',
      opened_price: 'text',
      created_at: 'integer',
      updated_at: 'integer',
    });
    const { schema } = database;
    for (const table of ['ended_orders', 'fills', 'closed_positions']) {
      await schema.createIndex(`${table}_of_user`).on(table).columns(['uid', 'id']).execute();
      await schema
        .createIndex(`${table}_of_symbol`)
        .on(table)
        .columns(['uid', 'category', 'symbol', 'id'])
        .execute();
    }
    await schema
      .createIndex('ended_orders_by_name')
      .on('ended_orders')
      .columns(['uid', 'client_oid', 'id'])
      .execute();
    await schema
      .createIndex('fills_of_order')
      .on('fills')
      .columns(['uid', 'order_id', 'id'])
      .execute();
    await forget(database, ['ledger_lines', 'deposits']);
  },
};

const createTrackedOrders: Migration = {
  up: async (database: AnyKysely) => {
    await createRows(database, 'tracked_orders', {
      uid: 'integer',
      role: 'text',
      leader: 'integer',
      'original_id?': 'integer',
      category: 'text',
      symbol: 'text',
      margin_coin: 'text',
      side: 'text',
      margin_mode: 'text',
      leverage: 'text',
      margin: 'text',
      open_order_id: 'integer',
      'close_order_id?': 'integer',
      'closer?': 'text',
      open_size: 'text',
      open_price: 'text',
      open_fee: 'text',
      opened_at: 'integer',
      closed_size: 'text',
      closed_price: 'text',
      close_fee: 'text',
      profit: 'text',
      share: 'text',
    });
    await createRows(database, 'uncopied_orders', {
      leader: 'integer',
      'follower?': 'integer',
      open_order_id: 'integer',
      category: 'text',
      symbol: 'text',
      side: 'text',
      size: 'text',
      reason: 'text',
    });
    const { schema } = database;
    await schema
      .createIndex('tracked_orders_of_user')
      .on('tracked_orders')
      .columns(['uid', 'role', 'category', 'id'])
      .execute();
    await schema
      .createIndex('tracked_orders_of_symbol')
      .on('tracked_orders')
      .columns(['uid', 'role', 'category', 'symbol', 'id'])
      .execute();
    await schema
      .createIndex('uncopied_orders_of_follower')
      .on('uncopied_orders')
      .columns(['follower', 'id'])
      .execute();
    await schema
      .createIndex('uncopied_orders_of_leader')
      .on('uncopied_orders')
      .columns(['leader', 'id'])
      .execute();
    await forget(database, [
      'ledger_lines',
      'deposits',
      'ended_orders',
      'fills',
      'closed_positions',
      'commissions',
      'ended_withdrawals',
      'operator_acts',
    ]);
  },
};

const createCommissions: Migration = {
  up: async (database: AnyKysely) => {
    const amounts = [
      'deal_amount',
      'fee',
      'fee_deduction',
      'experience_fund',
      'spot_coupon',
      'futures_coupon',
      'spot_discount',
    ] as const;
    const results = [
      'negative_maker_fee',
      'fee_paid',
      'rebate',
      'customer_share',
      'day_total',
      'total',
    ] as const;
    await createRows(database, 'commissions', {
      agent_uid: 'integer',
      direct: 'integer',
      uid: 'integer',
      coin: 'text',
      category: 'text',
      symbol: 'text',
      ...Object.fromEntries([...amounts, ...results].map((name) => [name, 'text' as const])),
    });
    const { schema } = database;
    const index = (name: string, columns: readonly string[]) =>
      schema
        .createIndex(`commissions_${name}`)
        .on('commissions')
        .columns(['agent_uid', 'direct', ...columns, 'id'])
        .execute();
    await index('of_agent', []);
    await index('of_customer', ['uid']);
    await index('of_coin', ['coin']);
    await index('of_symbol', ['symbol']);
    await forget(database, [
      'ledger_lines',
      'deposits',
      'ended_orders',
      'fills',
      'closed_positions',
    ]);
  },
};

const createWithdrawalsAndActs: Migration = {
  up: async (database: AnyKysely) => {
    await createRows(database, 'ended_withdrawals', {
      uid: 'integer',
      client_oid: 'text',
      coin: 'text',
      route: 'text',
      chain: 'text',
      tag: 'text',
      to_address: 'text',
      size: 'text',
      fee: 'text',
      sent: 'text',
      status: 'text',
      'failure?': 'text',
      confirmations: 'integer',
      confirmations_needed: 'integer',
      approvals_needed: 'integer',
      approvals: 'text',
      'hash?': 'text',
      'remark?': 'text',
      updated_at: 'integer',
    });
    await createRows(database, 'operator_acts', {
      operator: 'text',
      act: 'text',
      'order_id?': 'integer',
      'uid?': 'integer',
      'coin?': 'text',
      'detail?': 'text',
    });
    const { schema } = database;
    await schema
      .createIndex('ended_withdrawals_of_user')
      .on('ended_withdrawals')
      .columns(['uid', 'id'])
      .execute();
    await schema
      .createIndex('ended_withdrawals_by_name')
      .on('ended_withdrawals')
      .columns(['uid', 'client_oid', 'id'])
      .execute();
    await schema
      .createIndex('operator_acts_on_order')
      .on('operator_acts')
      .columns(['order_id', 'id'])
      .execute();
    for (const name of ['from_address', 'to_address'])
      await schema.alterTable('deposits').addColumn(name, 'text').execute();
    await forget(database, [
      'ledger_lines',
      'deposits',
      'ended_orders',
      'fills',
      'closed_positions',
      'commissions',
    ]);
  },
};

const createTriggers: Migration = {
  up: async (database: AnyKysely) => {
    await createRows(database, 'ended_triggers', {
      uid: 'integer',
      client_oid: 'text',
      kind: 'text',
      family: 'text',
      category: 'text',
      symbol: 'text',
      margin_coin: 'text',
      margin_mode: 'text',
      position_mode: 'text',
      'position_side?': 'text',
      intent: 'text',
      side: 'text',
      reduce_only: 'integer',
      size: 'text',
      trigger_price: 'text',
      source: 'text',
      'price?': 'text',
      'callback_rate?': 'text',
      'take_profit?': 'text',
      'stop_loss?': 'text',
      self_trade_mode: 'text',
      status: 'text',
      'order_id?': 'integer',
      filled_size: 'text',
      filled_value: 'text',
      'cancel_reason?': 'text',
      'refusal_reason?': 'text',
      'refusal_field?': 'text',
      'refusal_detail?': 'text',
      ended_at: 'integer',
    });
    const { schema } = database;
    await schema
      .createIndex('ended_triggers_of_user')
      .on('ended_triggers')
      .columns(['uid', 'category', 'family', 'id'])
      .execute();
    await schema
      .createIndex('ended_triggers_by_name')
      .on('ended_triggers')
      .columns(['uid', 'client_oid', 'id'])
      .execute();
    // The operator asks for those that failed, whoever they belong to.
    await schema
      .createIndex('ended_triggers_by_end')
      .on('ended_triggers')
      .columns(['status', 'id'])
      .execute();
    await forget(database, [
      'ledger_lines',
      'deposits',
      'ended_orders',
      'fills',
      'closed_positions',
      'commissions',
      'ended_withdrawals',
      'operator_acts',
      'tracked_orders',
      'uncopied_orders',
    ]);
  },
};

const tellOfChains: Migration = {
  up: async (database: AnyKysely) => {
    for (const column of ['record_id', 'chain'])
      await database.schema.alterTable('deposits').addColumn(column, 'text').execute();
    await forgetAll(database);
  },
};

/**
 * Triggers of spot have no margin mode, and some are in quote coin. SQLite cannot make a column
 * nullable.
 */
const storeSpotTriggers: Migration = {
  up: async (database: AnyKysely) => {
    const table = () => database.schema.alterTable('ended_triggers');
    await table().dropColumn('margin_mode').execute();
    for (const column of ['margin_mode', 'quote_amount'])
      await table().addColumn(column, 'text').execute();
    await forgetAll(database);
  },
};

const createInterestCharges: Migration = {
  up: async (database: AnyKysely) => {
    const owned = { uid: 'integer', coin: 'text', symbol: 'text' } as const;
    await createRows(database, 'interest_charges', { ...owned, amount: 'text', rate: 'text' });
    const index = database.schema.createIndex('interest_charges_of_user').on('interest_charges');
    await index.columns(['uid', 'symbol', 'id']).execute();
    await forgetAll(database);
  },
};

/** The tables are as they were; only what their rows hold has to be told from the beginning. */
const tellAnew: Migration = { up: forgetAll };

/** By name; they run in the order of their names. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-ledger-lines-and-deposits': createLedgerAndDeposits,
  '0002-orders-fills-and-positions': createOrdersFillsAndPositions,
  '0003-commissions': createCommissions,
  '0004-withdrawals-and-operator-acts': createWithdrawalsAndActs,
  '0005-tracked-orders': createTrackedOrders,
  '0006-ended-triggers': createTriggers,
  '0007-orders-and-fills-together': keepRowsTogether,
  '0008-ledger-lines-in-blocks': keepLinesInBlocks,
  '0009-rows-in-blocks': keepRowsInBlocks,
  '0010-deposits-by-chain': tellOfChains,
  '0011-names-in-shorter-eras': shortenEras,
  '0012-bills': tellAnew,
  '0013-orders-with-their-ways-out': tellAnew,
  '0014-orders-with-what-placed-them': tellAnew,
  '0015-lists-in-their-order': indexLists,
  '0016-spot-triggers': storeSpotTriggers,
  '0017-interest-charges': createInterestCharges,
};
