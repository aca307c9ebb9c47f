/** Generates docs/faults.md from the table of named faults. */
import { type NamedFault, namedFaults } from '../src/gateway/faults/named-faults.ts';

const INTRODUCTION = `# Faults: rehearsing failures

The costliest bug of a trading bot is a lost answer to an order that was placed. Faults cause it on
purpose. The operator API sets a fault, which then hits public calls: the client sees what a real
failure would show. \`GET /operator/v1/verdicts\` reports the true outcome afterwards. The rules are
in [docs/rules/faults.md](rules/faults.md).
[examples/unknown-result](../examples/unknown-result/README.md) has a bot that fails the rehearsal
and one that passes.

## Setting a fault

Set \`TOKEN\` to the operator token: the first \`npm start\` prints it, and \`credentials.json\` in
the data folder contains it.

\`\`\`sh
fault() {
  curl -sS http://127.0.0.1:8081/operator/v1/faults -d "$1" \\
    -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json'
}
fault '{"match": {"uid": "1000000001", "endpoint": "/api/v3/trade/place-order"},
  "effect": {"kind": "reply", "code": "40010", "order": "placedLater", "delayMs": 2000}}'
\`\`\`

**\`match\`** selects the calls that the fault hits; all given fields must match.

| field | hits |
|---|---|
| \`endpoint\` | calls of this path, and of the other path if an endpoint has two (API-21) |
| \`call\` | calls of this kind in any API version: \`place\`, \`cancel\`, or \`ask\` for queries of one order |
| \`uid\` | calls of this user |
| \`clientOid\` | calls that name this client order ID |
| \`nth\` | from the nth matching call on |
| \`probability\`, \`seed\` | each matching call with this probability; the same calls for the same seed |
| \`times\` | at most this many calls; 1 by default |

Without \`endpoint\` and \`call\`, the effects \`reply\`, \`cut\`, \`hide\`, and \`status\` with
\`placed\` hit \`place\`. Other effects hit any call.

**\`effect\`** is what happens to these calls.

| \`kind\` | fields | what happens |
|---|---|---|
| \`reply\` | \`code\` 40010, 40725 or 45001; \`order\` \`placed\`, \`notPlaced\` or \`placedLater\` with \`delayMs\` | the answer is ambiguous, the order has one outcome |
| \`cut\` | \`when\` \`beforeCommit\` or \`afterCommit\` | the connection ends without an answer |
| \`delay\` | \`ms\`; \`when\` \`before\` or \`after\` the call is executed | the answer is late |
| \`hide\` | \`ms\` | the order is missing from \`order-info\` and lists |
| \`status\` | \`status\` 429, 500, 502 or 503; \`order\` \`notPlaced\` (default) or \`placed\` | an HTTP error |
| \`drip\` | \`bytesPerSecond\` | the answer arrives slowly |

Several faults may hit one call, if only one of them ends it. \`GET /operator/v1/faults\` lists
them with \`hits\`. \`DELETE /operator/v1/faults/:id\` removes one, \`DELETE /operator/v1/faults\`
all. Faults and verdicts are in the memory of the process: a restart and a reset remove them. The
engine does not know of them: its journal has only what was really executed.

## Verdicts

\`\`\`sh
curl -sS "http://127.0.0.1:8081/operator/v1/verdicts?uid=1000000001" \\
  -H "Authorization: Bearer $TOKEN"
\`\`\`

This shows a row for each intent that a fault has hit: \`endpoint\`, \`clientOid\`, \`at\`,
\`faults\`, \`attempts\`, \`orders\` and \`verdict\`.

| verdict | true outcome |
|---|---|
| \`once\` | it was executed once, for any number of attempts |
| \`twice\` | it was executed more than once: the bot has a second order |
| \`never\` | it was not executed |
| \`cancelledUnseen\` | it was placed once, and cancelled unfilled before an answer showed it to the client |

The same \`clientOid\` is the same intent. So is an equal order with a new \`clientOid\` within a
minute of the exchange clock. Each order of a batch is an intent of its own.

## Named faults

Each works in v3 and v2. A name alone is enough, \`match\` narrows it:

\`\`\`sh
fault '{"name": "timeout-placed"}'
fault '{"name": "timeout-placed", "match": {"uid": "1000000001"}}'
\`\`\`

| name | what the client sees | the same as |
|---|---|---|
`;

const wireOf = ({ match, effect }: NamedFault): string =>
  JSON.stringify({ ...(match === undefined ? {} : { match }), effect });

const row = ([name, fault]: [string, NamedFault]): string =>
  `| \`${name}\` | ${fault.about} | \`${wireOf(fault)}\` |\n`;

export const faultsDocument = (madeBy: string): string =>
  `${madeBy}\n\n${INTRODUCTION}${Object.entries(namedFaults).map(row).join('')}`;
