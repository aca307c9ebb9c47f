import { RecordedOrders } from './exchange/recorded-orders.ts';
import { FullCommandRun } from './exchange/full-command.ts';
import { DEEP, SHALLOW, settledStream } from './exchange/settled-stream.ts';
import { cpuNanoseconds } from './order-book/runs.ts';
const shape = process.argv[2] === 'deep' ? DEEP : SHALLOW;
const reps = Number(process.argv[3] ?? 6), n = Number(process.argv[4] ?? 50000);
const { stream, settled } = settledStream(shape, 1_000_000, (reps + 1) * n);
const run = new FullCommandRun(new RecordedOrders(stream));
run.run(0, settled);
const costs: number[] = [];
for (let r = 0; r <= reps; r++) { const from = settled + r * n; const c = cpuNanoseconds(() => run.run(from, from + n)) / n; if (r > 4) costs.push(c); }
costs.sort((a, b) => a - b);
console.log(costs[0]!.toFixed(0), costs[costs.length >> 2]!.toFixed(0), costs[costs.length >> 1]!.toFixed(0), run.engine.digest());
