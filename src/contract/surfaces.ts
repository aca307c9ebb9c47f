/** The two HTTP APIs of the program, each with its rows and introduction. */
import type { Endpoint } from './endpoint.ts';
import { operatorEndpoints, publicEndpoints } from './endpoints.ts';

export interface ApiSurface {
  readonly name: 'public' | 'operator';
  readonly title: string;
  readonly address: string;
  readonly introduction: string;
  /** A shell line that sets the variables of the examples from the default data folder. */
  readonly credentialsLine: string;
  readonly endpoints: Readonly<Record<string, Endpoint>>;
}

export const publicSurface: ApiSurface = {
  name: 'public',
  title: 'Rialto API',
  address: 'http://127.0.0.1:8080',
  introduction:
    'Futures, unified accounts, trigger orders, copy trading and rebates over HTTP. ' +
    'GET parameters go in the query; POST bodies are JSON. Every value is a string unless stated ' +
    'otherwise; times are Unix milliseconds. Every answer is an envelope of `code`, `msg`, ' +
    '`requestTime` and `data`; success is code `00000`.',
  credentialsLine: `eval "$(node -p 'const u = JSON.parse(fs.readFileSync("data/credentials.json")).users.find((each) => each.name === "dave"); "API_KEY=" + u.apiKey + " SECRET_KEY=" + u.secretKey + " PASSPHRASE=" + u.passphrase')"`,
  endpoints: publicEndpoints,
};

export const operatorSurface: ApiSurface = {
  name: 'operator',
  title: 'Rialto operator API',
  address: 'http://127.0.0.1:8081',
  introduction:
    'The second listener, for operators of the exchange: users, keys, money, prices, listings, ' +
    'the clock and checks of the state. Calls carry `Authorization: Bearer <token>`. Bodies are ' +
    'plain JSON; answers have the same envelope as in the public API. `GET /metrics` takes the ' +
    'same token and returns Prometheus metrics.',
  credentialsLine: `OPERATOR_TOKEN="$(node -p 'JSON.parse(fs.readFileSync("data/credentials.json")).operatorToken')"`,
  endpoints: operatorEndpoints,
};

export const surfaces: readonly ApiSurface[] = [publicSurface, operatorSurface];

/** The groups of calls, in the order in which a reader needs them. */
const groupTexts: Readonly<Record<string, string>> = {
  Market: 'The time, the listings and their prices. No key is needed.',
  'Unified orders': 'Orders across spot, margin and futures.',
  'Futures orders': 'Futures orders in version 2 of the API.',
  'Spot orders': 'Spot orders and assets in version 2 of the API.',
  'Positions and fills': 'Open futures positions, and fills of isolated spot margin.',
  'Unified account': 'Settings, assets, leverage.',
  'Futures settings': 'Leverage, margin mode, position mode, and the account by margin coin.',
  Bills: 'Every change of the balances of an account.',
  'Withdrawals and deposits': 'Deposits and withdrawals, and their records.',
  'Unified trigger orders': 'Trigger orders of futures and spot in version 3 of the API.',
  'Futures trigger orders': 'Trigger orders, trailing stops, take-profits and stop-losses.',
  'Spot trigger orders': 'Spot orders that wait for a price.',
  'Isolated spot margin': 'The separate balances of a pair, its loans and its orders.',
  'Copy trading': 'Following a leader, and leading.',
  Agent: 'Customers of an agent, and the commissions on their fees.',
  Operator: 'Users, keys, money, the ledger, and the state of the exchange.',
  'Operator: market': 'Prices, instruments, coins, the simulated market and the clock.',
  'Operator: limits': 'Thresholds of the daily number of orders.',
  'Operator: fees': 'Maker and taker fees of each level, for spot and futures.',
  'Operator: copy trading': 'Leaders, and orders that were not copied.',
  'Operator: agents': 'Agents and their terms, and credits that pay fees.',
  'Operator: faults': 'Faults that strike calls on purpose, and the verdicts on these calls.',
  'Operator: withdrawals': 'Approvals of withdrawals, reserves and the audit trail.',
};

export interface Group {
  readonly name: string;
  readonly about: string;
  readonly rows: readonly (readonly [name: string, row: Endpoint])[];
}

export const groupsOf = (surface: ApiSurface): readonly Group[] =>
  Object.entries(groupTexts)
    .map(([name, about]) => ({
      name,
      about,
      rows: Object.entries(surface.endpoints).filter(([, row]) => row.group === name),
    }))
    .filter(({ rows }) => rows.length > 0);
