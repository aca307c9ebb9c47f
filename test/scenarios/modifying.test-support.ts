/** The market of the tests on modified orders. */

export const MARKET = `
  index  BTC       60000
  maker  deposits  10000000 USDT
  maker  deposits  1000 BTC
  alice  deposits  100000 USDT
  bob    deposits  100000 USDT
`;
