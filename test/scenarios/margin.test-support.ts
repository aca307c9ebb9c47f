/** The market of the tests on margin. */

export const MARKET = `
  index  BTC       50000
  maker  deposits  10000000 USDT
  maker  deposits  1000 BTC
`;
