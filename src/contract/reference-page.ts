/** The reference as one HTML page that contains everything and fetches nothing. */
import { REJECTIONS } from '../messages/rejections.ts';
import type { Endpoint } from './endpoint.ts';
import { errorCode, errorStatus, errorTable } from './errors.ts';
import {
  curlText,
  exampleAnswer,
  type FieldLine,
  limitText,
  permissionText,
  requestLines,
  responseLines,
  sentence,
} from './reference.ts';
import { pageScript } from './reference-page-script.ts';
import { pageStyle } from './reference-page-style.ts';
import { type ApiSurface, type Group, groupsOf } from './surfaces.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
/** The escaped text, with `words` as code. */
const prose = (text: string): string => escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');

const method = (row: Endpoint): string => `<span class="method ${row.method}">${row.method}</span>`;

/** Further fields are folded. */
const FIELDS_SHOWN_MAX = 8;

function fieldText(line: FieldLine, marksRequired: boolean): string {
  const mark = marksRequired && line.required ? '<span class="must">required</span>' : '';
  const sometimes =
    !marksRequired && !line.required ? '<span class="must">not in every row</span>' : '';
  const standard =
    line.standard === undefined ? '' : ` Default <code>${escaped(line.standard)}</code>.`;
  const words = line.values.map((value) => `<code>${escaped(value)}</code>`).join('');
  const values = words === '' ? '' : `<div class="values">${words}</div>`;
  const type = `<span class="type">${line.type}</span>`;
  return `<div class="field">
<dt><code>${escaped(line.path)}</code>${type}${mark}${sometimes}</dt>
<dd>${prose(sentence(line.about))}${standard}${values}</dd>
</div>`;
}

function fieldList(lines: readonly FieldLine[], marksRequired: boolean): string {
  const texts = lines.map((line) => fieldText(line, marksRequired));
  const first = `<dl>${texts.slice(0, FIELDS_SHOWN_MAX).join('')}</dl>`;
  const rest = texts.slice(FIELDS_SHOWN_MAX);
  return rest.length === 0
    ? first
    : `${first}<details><summary>${rest.length} more</summary><dl>${rest.join('')}</dl></details>`;
}

const well = (title: string, text: string): string =>
  `<div class="well">
<header><span>${title}</span><button type="button">Copy</button></header>
<pre tabindex="0">${escaped(text)}</pre>
</div>`;

function endpointText(name: string, row: Endpoint, surface: ApiSurface): string {
  const asked = requestLines(row);
  const words = [
    name,
    row.path,
    ...(row.aliases ?? []),
    row.summary,
    row.group,
    row.access,
    ...asked.map(({ path }) => path),
  ];
  const aliases = (row.aliases ?? [])
    .map((path) => `<li>also at <b>${escaped(path)}</b></li>`)
    .join('');
  const searched = escaped(words.join(' ').toLowerCase());
  return `<section class="endpoint" id="${name}" data-words="${searched}">
<div>
<h3><a href="#${name}">${prose(row.summary)}</a></h3>
<div class="path">${method(row)}<span>${escaped(row.path)}</span></div>
<ul class="facts">
<li>permission <b>${escaped(permissionText(row))}</b></li>
<li>limit <b>${escaped(limitText(row))}</b></li>
${aliases}
<li>rules <b>${row.rules.join(', ')}</b></li>
</ul>
<h4>Request</h4>
${asked.length === 0 ? '<p>No parameters.</p>' : fieldList(asked, true)}
<h4>Response data</h4>
${fieldList(responseLines(row), false)}
</div>
<div class="samples">
${well('Request', curlText(row, surface))}
${well('Answer', exampleAnswer(row))}
</div>
</section>`;
}

const groupText = ({ name, about, rows }: Group, surface: ApiSurface): string =>
  `<div class="group">
<h2>${escaped(name)}</h2>
<p>${prose(about)}</p>
${rows.map(([key, row]) => endpointText(key, row, surface)).join('\n')}
</div>`;

/** Two calls with the same summary show their version. */
function navigation(groups: readonly Group[]): string {
  const summaries = groups.flatMap(({ rows }) => rows.map(([, { summary }]) => summary));
  const isOne = (summary: string): boolean =>
    summaries.indexOf(summary) === summaries.lastIndexOf(summary);
  const version = ({ summary, path }: Endpoint): string =>
    isOne(summary) ? '' : ` <small>${/v\d/.exec(path)?.[0] ?? ''}</small>`;
  const link = ([key, row]: Group['rows'][number]): string => {
    const text = `<span>${escaped(row.summary)}${version(row)}</span>`;
    return `<a href="#${key}" data-for="${key}">${method(row)}${text}</a>`;
  };
  return groups
    .map(
      ({ name, rows }) => `<section><h2>${escaped(name)}</h2>${rows.map(link).join('')}</section>`,
    )
    .join('');
}

function codeTable(): string {
  const lines = REJECTIONS.map((reason) => {
    const codes = new Set(
      (['v2', 'v3', 'broker', 'operator'] as const).map((dialect) => errorCode(reason, dialect)),
    );
    const { en, zh } = errorTable[reason];
    const plain = (text: string): string => escaped(text.replace(/[[\]]/g, ''));
    return `<tr>
<td><code>${[...codes].join('</code> <code>')}</code></td>
<td>${errorStatus(reason)}</td>
<td>${plain(en)}</td>
<td lang="zh">${plain(zh)}</td>
</tr>`;
  });
  return `<div class="scroll">
<table>
<thead><tr><th>Code</th><th>HTTP</th><th>English</th><th>Chinese</th></tr></thead>
<tbody>${lines.join('\n')}</tbody>
</table>
</div>`;
}

const card = (title: string, text: string): string =>
  `<div class="card"><h3>${title}</h3><p>${prose(text)}</p></div>`;

const signing = card(
  'Signing a call',
  'Send `ACCESS-KEY`, `ACCESS-TIMESTAMP` (ms, at most 30 s from the time of the server), ' +
    '`ACCESS-PASSPHRASE` and `ACCESS-SIGN`. The signature is the base64 of HMAC-SHA256, with ' +
    'your secret, over `timestamp + METHOD + path + ?query + body`, exactly as sent.',
);
const token = card(
  'The token',
  'Send `Authorization: Bearer` with the operator token. The token is in `credentials.json` in ' +
    'the data folder, unless it was set at the start.',
);
const envelope = card(
  'The envelope',
  'Every answer has `code`, `msg`, `requestTime` and `data`. Success is `00000`; any other code ' +
    'is a refusal with null `data`. The header `locale: zh-CN` selects Chinese.',
);
const retries = card(
  'Retries',
  'A `clientOid` makes a call safe to repeat. Code `40010` means that the outcome is not known: ' +
    'get the order by its `clientOid`. Code `429` means that nothing was executed.',
);

const MARK = `<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8"
  stroke-linecap="round" aria-hidden="true"><path d="M2 18h20M3 18c0-6 4-10.5 9-10.5S21 12 21 18
  M7.5 18c0-3.4 2-5.8 4.5-5.8s4.5 2.4 4.5 5.8"/></svg>`;

export function referencePage(surface: ApiSurface): string {
  const groups = groupsOf(surface);
  const cards = surface.name === 'public' ? [signing, envelope, retries] : [token, envelope];
  const folder = 'Before the examples, in the folder where the exchange was started';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(surface.title)}</title>
<link rel="icon" href="data:,">
<style>${pageStyle}</style>
</head>
<body>
<div class="frame">
<aside>
<div class="brand">
<span>${MARK}${escaped(surface.title)}</span>
<button class="scheme" id="scheme" type="button" title="Light or dark">◐</button>
</div>
<div class="search">
<input id="search" type="search" placeholder="Search calls and fields"
  aria-label="Search calls and fields" autocomplete="off"><kbd>/</kbd>
</div>
<nav aria-label="Calls">
${navigation(groups)}
<p class="none" id="none" hidden>No call matches.</p>
</nav>
</aside>
<main>
<div id="start">
<h1>${escaped(surface.title)}</h1>
<p class="lead">${prose(surface.introduction)}</p>
<div class="cards">${cards.join('')}</div>
${well(folder, surface.credentialsLine)}
<p class="lead">The same as <a href="/openapi.json">OpenAPI 3.1</a>.
All <a href="#codes">codes</a> are at the end.</p>
</div>
${groups.map((group) => groupText(group, surface)).join('\n')}
<h2 id="codes">Codes</h2>
${codeTable()}
</main>
</div>
<script>${pageScript}</script>
</body>
</html>
`;
}
