import { openMarket, MARKET_START, uidAt } from './exchange/market.ts';
import type { Command } from '../src/messages/commands.ts';
const USERS = Number(process.argv[3] ?? 200);
const engine = openMarket(USERS);
const rounds = Number(process.argv[2] ?? 30);
let seed = 12345; const rnd = (k: number) => { seed = (Math.imul(seed, 1103515245) + 12345) >>> 0; return (seed >>> 8) % k; };
let id = 0;
const place = (uid: number, side: 'buy' | 'sell', size: string): Command => ({ type: 'placeOrders', uid: uidAt(uid), category: 'USDT-FUTURES', orders: [{ symbol: 'BTCUSDT', side, orderType: 'limit', size: size as any, price: '60000.0' as any, timeInForce: 'gtc', positionSide: undefined, clientOid: ('b-' + id++) as any, selfTradeMode: undefined, reduceOnly: false, marginMode: undefined, loanType: undefined } as any] });
const ns: number[] = [];
for (let r = 0; r < rounds; r++) {
  const commands: Command[] = [];
  for (let i = 0; i < 2000; i++) {
    const side = rnd(2) ? 'buy' : 'sell';
    for (let k = 0; k < 5; k++) commands.push(place(rnd(USERS), side, '0.0' + (10 + rnd(89))));
    commands.push(place(rnd(USERS), side === 'buy' ? 'sell' : 'buy', '0.5000'));
  }
  const t = process.cpuUsage(); let trades = 0;
  for (const c of commands) { const { events } = engine.execute(c, MARKET_START); for (let i = 0; i < events.length; i++) if (events[i]!.type === 'tradeExecuted') trades++; }
  const u = process.cpuUsage(t); ns.push((u.user + u.system) * 1000 / trades);
}
const late = ns.slice(ns.length >> 1).sort((a, b) => a - b); console.log(late[0]!.toFixed(0), late[late.length >> 2]!.toFixed(0), late[late.length >> 1]!.toFixed(0), engine.digest());
