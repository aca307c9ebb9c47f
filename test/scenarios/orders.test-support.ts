/** The market of the tests on orders. */

/** BTC at 60,000, and a counterparty with enough money. */
export const MARKET = `
  index  BTC       60000
  maker  deposits  10000000 USDT
  maker  deposits  1000 BTC
`;
