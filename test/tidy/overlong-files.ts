/** Files that the width of 100 columns made longer than the limit. Each is to be split; none is added. */
export const OVERLONG_FILES: ReadonlySet<string> = new Set([
  'src/core/listings/listings.slow.test.ts',
  'model/exchange/naive-money.ts',
  'model/exchange/naive-takeover.ts',
  'model/exchange/naive-tracking.ts',
  'model/lockstep/lockstep-copy.ts',
  'model/lockstep/lockstep-desk.ts',
  'model/lockstep/lockstep.ts',
  'src/contract/fields.ts',
  'src/contract/trigger-orders.ts',
  'src/messages/commands.ts',
  'src/simulator/market/scenes.slow.test.ts',
  'src/views/history/migrations.ts',
]);
