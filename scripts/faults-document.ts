/**
 * The document of the unknown-result laboratory: what can be made to go wrong, each with a call to
 * copy. Made from the table in the code.
 */
import { type NamedFault, namedFaults } from '../src/gateway/faults/named-faults.ts';

const CALL =
  'curl -s http://127.0.0.1:8081/operator/v1/faults -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json"';

const INTRODUCTION = `# Faults: rehearsing what goes wrong

The costliest bug of a trading bot is an answer that never came, for an order that was placed. Here it can be provoked at will.
A fault is set on the operator plane and strikes public calls: the client sees what it would see on a bad day, and
\`GET /operator/v1/verdicts\` tells afterwards what really happened. [docs/rules/faults.md](rules/faults.md) has the rules sentence by
sentence, and [examples/unknown-result](../examples/unknown-result/README.md) a bot that fails the rehearsal beside one that passes.

The calls below expect the operator token in \`TOKEN\`: the first \`npm start\` prints it, and \`credentials.json\` in the data folder holds it.

## Setting a fault

\`\`\`sh
${CALL} -d '{"match": {"uid": "1000000001", "endpoint": "/api/v3/trade/place-order"}, "effect": {"kind": "reply", "code": "40010", "order": "placedLater", "delayMs": 2000}}'
\`\`\`

**\`match\`** says which calls are struck; all that is said must be true.

| field | strikes |
|---|---|
| \`endpoint\` | calls of this path, and of the other path where an endpoint has two (API-21) |
| \`call\` | calls of this kind, through either door of the API: \`place\` those that place something, \`cancel\` those that cancel orders, \`ask\` those that ask for one order. Where neither \`endpoint\` nor \`call\` is said, \`reply\`, \`cut\`, \`hide\`, and \`status\` with \`placed\`, strike \`place\`, other effects any call |
| \`uid\` | calls of this user |
| \`clientOid\` | calls that name this client order ID |
| \`nth\` | from the nth matching call on |
| \`probability\`, \`seed\` | each matching call by this chance; the same ones for the same seed |
| \`times\` | at most so many calls; 1 when left out |

**\`effect\`** says what happens to them.

| \`kind\` | fields | what happens |
|---|---|---|
| \`reply\` | \`code\` 40010, 40725 or 45001; \`order\` \`placed\`, \`notPlaced\` or \`placedLater\` with \`delayMs\` | the answer leaves doubt, the order has one fate |
| \`cut\` | \`when\` \`beforeCommit\` or \`afterCommit\` | the connection ends without an answer |
| \`delay\` | \`ms\`; \`when\` \`before\` or \`after\` the call is carried out | the answer is slow |
| \`hide\` | \`ms\` | the order is missing from \`order-info\` and lists |
| \`status\` | \`status\` 429, 500, 502 or 503; \`order\` \`notPlaced\` unless it says \`placed\` | an HTTP error |
| \`drip\` | \`bytesPerSecond\` | the answer trickles in |

Several faults may strike one call, as long as only one of them ends it. \`GET /operator/v1/faults\` lists them with \`hits\`,
\`DELETE /operator/v1/faults/:id\` and \`DELETE /operator/v1/faults\` clear them. Faults and verdicts live in the memory of the process:
a restart and a reset forget them. The exchange behind them never knows: its journal holds what was really done.

## Verdicts

\`\`\`sh
curl -s "http://127.0.0.1:8081/operator/v1/verdicts?uid=1000000001" -H "Authorization: Bearer $TOKEN"
\`\`\`

One row for each intent that a fault has struck: \`endpoint\`, \`clientOid\`, \`at\`, \`faults\`, \`attempts\`, \`orders\` and \`verdict\`.

| verdict | what really happened |
|---|---|
| \`once\` | it was done once, however often it was sent |
| \`twice\` | it was done more than once: the bot has a second order |
| \`never\` | it was not done |
| \`cancelledUnseen\` | it was placed once, and cancelled unfilled before any answer had shown it to the client |

The same \`clientOid\` is the same intent, and so is the same order sent again under a new \`clientOid\` within a minute of the
exchange clock. Each order of a batch is an intent of its own.

## Faults with a name

Each strikes v3 and v2 alike. A name alone is enough; \`match\` narrows it: \`{"name": "timeout-placed", "match": {"uid": "1000000001"}}\`.
`;

const wireOf = ({ match, effect }: NamedFault): string =>
  JSON.stringify({ ...(match === undefined ? {} : { match }), effect });

const section = ([name, fault]: [string, NamedFault]): string =>
  [
    `### ${name}`,
    '',
    fault.about,
    '',
    '```sh',
    `${CALL} -d '{"name": "${name}"}'`,
    '```',
    '',
    `The same as \`${wireOf(fault)}\`.`,
    '',
  ].join('\n');

export const faultsDocument = (madeBy: string): string =>
  `${[madeBy, '', INTRODUCTION, ...Object.entries(namedFaults).map(section)].join('\n').trimEnd()}\n`;
