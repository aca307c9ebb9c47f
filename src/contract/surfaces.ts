/**
 * The two sides of the program that speak HTTP, each with its rows and the words that introduce it.
 */
import type { Endpoint } from './endpoint.ts';
import { operatorEndpoints, publicEndpoints } from './endpoints.ts';

export interface ApiSurface {
  readonly name: 'public' | 'operator';
  readonly title: string;
  readonly address: string;
  readonly introduction: string;
  /**
   * A line for the shell that sets what its examples are signed with, from the usual data folder.
   */
  readonly credentialsLine: string;
  readonly endpoints: Readonly<Record<string, Endpoint>>;
}

export const publicSurface: ApiSurface = {
  name: 'public',
  title: 'Rialto API',
  address: 'http://127.0.0.1:8080',
  introduction:
    'Futures, unified accounts, trigger orders, copy trading and rebates over HTTP. GET parameters go in the query, POST bodies are JSON. ' +
    'Every value is a string unless stated otherwise; times are Unix milliseconds. Every answer is an envelope of `code`, `msg`, `requestTime` and `data`; ' +
    'success is code `00000`.',
  credentialsLine: `eval "$(node -p 'const u = JSON.parse(fs.readFileSync("data/credentials.json")).users.find((each) => each.name === "dave"); "API_KEY=" + u.apiKey + " SECRET_KEY=" + u.secretKey + " PASSPHRASE=" + u.passphrase')"`,
  endpoints: publicEndpoints,
};

export const operatorSurface: ApiSurface = {
  name: 'operator',
  title: 'Rialto operator API',
  address: 'http://127.0.0.1:8081',
  introduction:
    'The second listener, for whoever runs the exchange: users, keys, money, prices, listings, the clock, and proof that all is well. ' +
    'Calls carry `Authorization: Bearer <token>`. Bodies are ordinary JSON; answers come in the same envelope as on the public side. ' +
    '`GET /metrics`, with the same token, speaks Prometheus.',
  credentialsLine: `OPERATOR_TOKEN="$(node -p 'JSON.parse(fs.readFileSync("data/credentials.json")).operatorToken')"`,
  endpoints: operatorEndpoints,
};

export const surfaces: readonly ApiSurface[] = [publicSurface, operatorSurface];

/** What the groups are about, in the order in which a reader comes to need them. */
const groupTexts: Readonly<Record<string, string>> = {
  Market: 'The time, what is listed, and what it trades at. No key is needed.',
  'Unified orders': 'Orders across spot, margin and futures.',
  'Futures orders': 'Futures orders as the second generation of the API places and shows them.',
  'Spot orders':
    'Spot orders and assets as the second generation of the API places and shows them.',
  'Positions and fills': 'Open futures positions, and fills of isolated spot margin.',
  'Unified account': 'Settings, assets, leverage.',
  'Futures settings': 'Leverage, margin mode, position mode, and the account by margin coin.',
  Bills: 'What came into an account and went out of it, line by line.',
  'Withdrawals and deposits': 'Money out, money in, and the records of both.',
  'Unified trigger orders': 'The trigger orders of futures and spot as v3 says them.',
  'Futures trigger orders':
    'Orders that wait for a price, trailing stops, take-profit and stop-loss.',
  'Spot trigger orders': 'Spot orders that wait for a price.',
  'Isolated spot margin': 'Money set apart for one pair, its loans and its orders.',
  'Copy trading': 'Following a leader, and leading.',
  Agent: 'Customers brought by an agent, and the commissions on them.',
  Operator: 'Users, keys, money, the ledger, and the state of the exchange.',
  'Operator: market': 'Prices, instruments, coins, the simulated market and the clock.',
  'Operator: limits': 'Thresholds of the daily number of orders.',
  'Operator: fees': 'What each level pays, maker and taker, in spot and in futures.',
  'Operator: copy trading': 'Who leads, and what was not copied.',
  'Operator: agents': 'Who is an agent on what terms, and what users may pay fees with.',
  'Operator: faults': 'Calls that go wrong on purpose, and what really became of them.',
  'Operator: withdrawals': 'The desk that lets money out, what the house holds, and who did what.',
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
