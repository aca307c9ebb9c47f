/** The reference as Markdown, to read beside the code. */
import { REJECTIONS } from '../messages/rejections.ts';
import type { Dialect } from './dialects.ts';
import type { Endpoint } from './endpoint.ts';
import { errorCode, errorStatus, errorTable } from './errors.ts';
import {
  type FieldLine,
  limitText,
  permissionText,
  requestLines,
  responseLines,
  sentence,
} from './reference.ts';
import { type ApiSurface, groupsOf } from './surfaces.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const line = (...cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

const valuesText = ({ values }: FieldLine): string =>
  values.map((value) => `\`${value}\``).join(', ');

function requestTable(row: Endpoint): readonly string[] {
  const lines = requestLines(row);
  if (lines.length === 0) return ['No parameters.'];
  return [
    line('Field', 'Type', 'Required', 'Meaning'),
    '|---|---|---|---|',
    ...lines.map((field) => {
      const standard = field.standard === undefined ? '' : ` Default \`${field.standard}\`.`;
      const values = field.values.length === 0 ? '' : ` One of ${valuesText(field)}.`;
      return line(
        `\`${field.path}\``,
        field.type,
        field.required ? 'yes' : 'no',
        `${sentence(field.about)}${values}${standard}`.trim(),
      );
    }),
  ];
}

function responseTable(row: Endpoint): readonly string[] {
  const lines = responseLines(row);
  return [
    line('Field', 'Type', 'Meaning'),
    '|---|---|---|',
    ...lines.map((field) => {
      const absent = field.required ? '' : ' Not in every row.';
      const values = field.values.length === 0 ? '' : ` One of ${valuesText(field)}.`;
      return line(
        `\`${field.path}\``,
        field.type,
        `${sentence(field.about)}${values}${absent}`.trim(),
      );
    }),
  ];
}

function endpointText(name: string, row: Endpoint): readonly string[] {
  const aliases =
    row.aliases === undefined
      ? []
      : [`- Also at: ${row.aliases.map((path) => `\`${path}\``).join(', ')}`];
  return [
    `### ${row.summary}`,
    '',
    `\`${row.method} ${row.path}\``,
    '',
    `- Name: \`${name}\``,
    ...aliases,
    `- Permission: ${permissionText(row)}`,
    `- Limit: ${limitText(row)}`,
    `- Rules: ${row.rules.join(', ')}`,
    '',
    'Request',
    '',
    ...requestTable(row),
    '',
    'Response `data`',
    '',
    ...responseTable(row),
    '',
  ];
}

const codeText = (code: string, others: readonly string[]): string =>
  [...new Set([code, ...others])].join(', ');

function codeTable(): readonly string[] {
  const dialects: readonly Dialect[] = ['v3', 'broker', 'operator'];
  return [
    '## Codes',
    '',
    'If a refusal has several codes, the first is that of v2 calls, and the others are those of v3 and agent calls.',
    '',
    line('Code', 'HTTP', 'English', 'Chinese'),
    '|---|---|---|---|',
    ...REJECTIONS.map((reason) => {
      const others = dialects.map((dialect) => errorCode(reason, dialect));
      const { en, zh } = errorTable[reason];
      return line(
        codeText(errorCode(reason, 'v2'), others),
        String(errorStatus(reason)),
        en.replace(/[[\]]/g, ''),
        zh.replace(/[[\]]/g, ''),
      );
    }),
    '',
  ];
}

export function referenceMarkdown(surfaces: readonly ApiSurface[]): string {
  const parts = surfaces.flatMap((surface) => [
    `# ${surface.title}`,
    '',
    surface.introduction,
    '',
    ...groupsOf(surface).flatMap(({ name, about, rows }) => [
      `## ${name}`,
      '',
      about,
      '',
      ...rows.flatMap(([key, row]) => endpointText(key, row)),
    ]),
  ]);
  return `${[...parts, ...codeTable()].join('\n').trimEnd()}\n`;
}
