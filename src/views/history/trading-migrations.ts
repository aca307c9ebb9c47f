/** The migrations that created tables for orders, fills, positions, triggers and copy trading. */
import type { Migration } from 'kysely';
import { createRows, forget, forgetAll } from './migration-steps.ts';
import type { AnyKysely } from './table.ts';

export const createOrdersFillsAndPositions: Migration = {
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

export const createTrackedOrders: Migration = {
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

export const createTriggers: Migration = {
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
    // The operator lists failed triggers of all users.
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

/**
 * Spot triggers have no margin mode, and some have a size in quote coin. SQLite cannot make a
 * column nullable, so the column is dropped and added again.
 */
export const storeSpotTriggers: Migration = {
  up: async (database: AnyKysely) => {
    const table = () => database.schema.alterTable('ended_triggers');
    await table().dropColumn('margin_mode').execute();
    for (const column of ['margin_mode', 'quote_amount'])
      await table().addColumn(column, 'text').execute();
    await forgetAll(database);
  },
};
