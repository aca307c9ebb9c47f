/** The reference as one page for the browser: everything is inside, nothing is fetched. */
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
/** Escaped, with `words` set as code. */
const prose = (text: string): string => escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');

const method = (row: Endpoint): string => `<span class="method ${row.method}">${row.method}</span>`;

/** Fields beyond this many are folded away. */
const FIELDS_SHOWN_MAX = 8;

function fieldText(line: FieldLine, marksRequired: boolean): string {
  const mark = marksRequired && line.required ? '<span class="must">required</span>' : '';
  const sometimes =
    !marksRequired && !line.required ? '<span class="must">not in every row</span>' : '';
  const standard =
    line.standard === undefined ? '' : ` Default <code>${escaped(line.standard)}</code>.`;
  const values = line.values.map((value) => `<code>${escaped(value)}</code>`).join('');
  return `<div class="field"><dt><code>${escaped(line.path)}</code><span class="type">${line.type}</span>${mark}${sometimes}</dt><dd>${prose(sentence(line.about))}${standard}${values === '' ? '' : `<div class="values">${values}</div>`}</dd></div>`;
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
  `<div class="well"><header><span>${title}</span><button type="button">Copy</button></header><pre tabindex="0">${escaped(text)}</pre></div>`;

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
  return `<section class="endpoint" id="${name}" data-words="${escaped(words.join(' ').toLowerCase())}">
<div>
<h3><a href="#${name}">${prose(row.summary)}</a></h3>
<div class="path">${method(row)}<span>${escaped(row.path)}</span></div>
<ul class="facts"><li>permission <b>${escaped(permissionText(row))}</b></li><li>limit <b>${escaped(limitText(row))}</b></li>${aliases}<li>rules <b>${row.rules.join(', ')}</b></li></ul>
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
  `<div class="group"><h2>${escaped(name)}</h2><p>${prose(about)}</p>${rows.map(([key, row]) => endpointText(key, row, surface)).join('\n')}</div>`;

/** A call that both doors have under one name is told apart by its version. */
function navigation(groups: readonly Group[]): string {
  const summaries = groups.flatMap(({ rows }) => rows.map(([, { summary }]) => summary));
  const isOne = (summary: string): boolean =>
    summaries.indexOf(summary) === summaries.lastIndexOf(summary);
  const version = ({ summary, path }: Endpoint): string =>
    isOne(summary) ? '' : ` <small>${/v\d/.exec(path)?.[0] ?? ''}</small>`;
  const link = ([key, row]: Group['rows'][number]): string =>
    `<a href="#${key}" data-for="${key}">${method(row)}<span>${escaped(row.summary)}${version(row)}</span></a>`;
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
    return `<tr><td><code>${[...codes].join('</code> <code>')}</code></td><td>${errorStatus(reason)}</td><td>${plain(en)}</td><td lang="zh">${plain(zh)}</td></tr>`;
  });
  return `<div class="scroll"><table><thead><tr><th>Code</th><th>HTTP</th><th>English</th><th>Chinese</th></tr></thead><tbody>${lines.join('')}</tbody></table></div>`;
}

const signing = `<div class="card"><h3>Signing a call</h3><p>Send <code>ACCESS-KEY</code>, <code>ACCESS-TIMESTAMP</code> (ms, at most 30 s off), <code>ACCESS-PASSPHRASE</code> and <code>ACCESS-SIGN</code>: the base64 of HMAC-SHA256, with your secret, over <code>timestamp + METHOD + path + ?query + body</code>, exactly as sent.</p></div>`;
const token = `<div class="card"><h3>The token</h3><p>Send <code>Authorization: Bearer</code> with the operator token. It stands in <code>credentials.json</code> in the data folder, or is the one given at the start.</p></div>`;
const envelope = `<div class="card"><h3>The envelope</h3><p>Every answer has <code>code</code>, <code>msg</code>, <code>requestTime</code> and <code>data</code>. Success is <code>00000</code>; anything else is a refusal with <code>data</code> null. The header <code>locale: zh-CN</code> asks for Chinese.</p></div>`;
const retries = `<div class="card"><h3>Asking again</h3><p>A <code>clientOid</code> makes a call safe to repeat. Code <code>40010</code> means that the outcome is not known: ask by <code>clientOid</code>. Code <code>429</code> means that nothing was executed.</p></div>`;

const MARK = `<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" aria-hidden="true"><path d="M2 18h20M3 18c0-6 4-10.5 9-10.5S21 12 21 18M7.5 18c0-3.4 2-5.8 4.5-5.8s4.5 2.4 4.5 5.8"/></svg>`;

export function referencePage(surface: ApiSurface): string {
  const groups = groupsOf(surface);
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
<div class="brand"><span>${MARK}${escaped(surface.title)}</span><button class="scheme" id="scheme" type="button" title="Light or dark">◐</button></div>
<div class="search"><input id="search" type="search" placeholder="Search calls and fields" aria-label="Search calls and fields" autocomplete="off"><kbd>/</kbd></div>
<nav aria-label="Calls">${navigation(groups)}<p class="none" id="none" hidden>Nothing fits.</p></nav>
</aside>
<main>
<div id="start">
<h1>${escaped(surface.title)}</h1>
<p class="lead">${prose(surface.introduction)}</p>
<div class="cards">${surface.name === 'public' ? `${signing}${envelope}${retries}` : `${token}${envelope}`}</div>
${well('Before the examples, in the folder where the exchange was started', surface.credentialsLine)}
<p class="lead">Also as <a href="/openapi.json">OpenAPI 3.1</a>. All <a href="#codes">codes</a> stand at the end.</p>
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
