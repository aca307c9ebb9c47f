/**
 * The migrations that created tables for ledger lines, deposits, withdrawals, commissions and
 * interest.
 */
import { type Migration, sql } from 'kysely';
import { createRows, forget, forgetAll } from './migration-steps.ts';
import type { AnyKysely } from './table.ts';

export const createLedgerAndDeposits: Migration = {
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
    // One index for each kind of query, so that a page of ten million lines costs the same as one
    // of ten.
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

export const createCommissions: Migration = {
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

export const createWithdrawalsAndActs: Migration = {
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

export const createInterestCharges: Migration = {
  up: async (database: AnyKysely) => {
    const owned = { uid: 'integer', coin: 'text', symbol: 'text' } as const;
    await createRows(database, 'interest_charges', { ...owned, amount: 'text', rate: 'text' });
    const index = database.schema.createIndex('interest_charges_of_user').on('interest_charges');
    await index.columns(['uid', 'symbol', 'id']).execute();
    await forgetAll(database);
  },
};

export const storeDepositChains: Migration = {
  up: async (database: AnyKysely) => {
    for (const column of ['record_id', 'chain'])
      await database.schema.alterTable('deposits').addColumn(column, 'text').execute();
    await forgetAll(database);
  },
};
