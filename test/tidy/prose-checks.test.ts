/** Tests the checks on prose on planted text: just allowed and just refused, in pairs. */
import { expect, test } from 'vitest';
import * as checks from './prose-checks.ts';
import { type Fault, faultText, type SourceFile } from './source-text.ts';

const file = (text: string, path = 'src/core/x.ts'): SourceFile => ({ path, text });
const page = (text: string): SourceFile => file(text, 'docs/x.md');
const input = (faults: readonly Fault[]): string[] => faults.map(faultText);
const words = (count: number): string => Array.from({ length: count }, () => 'word').join(' ');

test('[REP-39] a word of the dialect is a violation that names the word of the trade', () => {
  expect(input(checks.dialectFaults(file('// An account.\n// Whoever asks is kept.')))).toEqual([
    'src/core/x.ts:2: says "Whoever". Say the account, the user or the client.',
  ]);
  expect(input(checks.dialectFaults(file('// What is kept up.')))).toEqual([
    'src/core/x.ts:1: says "kept up". Say the maintenance requirement.',
  ]);
  expect(checks.dialectFaults(file('// The hero and history of the whim.'))).toEqual([]);
  expect(checks.dialectFaults(file("const code = 'nobody-has-it';"))).toHaveLength(1);
  expect(checks.dialectFaults(file("const text = 'he'; // tidy-ok: quoted from a client"))).toEqual(
    [],
  );
});

test('[REP-40] a part of a name that was replaced is a violation', () => {
  const [fault, ...others] = input(
    checks.replacedNameFaults(file('const heldByHolders = SEAT_MAX;')),
  );
  expect(fault).toBe('src/core/x.ts:1: names something "Holders". The word is account context.');
  expect(others).toHaveLength(1);
  expect(checks.replacedNameFaults(file("const seating = 'the seat'; // a seat"))).toEqual([]);
  expect(checks.replacedNameFaults(file('constructor() {}'))).toEqual([]);
});

test('[REP-41] a line of 101 columns is a violation, one of 100 is not', () => {
  const line = (columns: number): string => `const a = ${'b + '.repeat(30)}`.slice(0, columns);
  expect(checks.lineFaults(file(line(100)))).toEqual([]);
  expect(input(checks.lineFaults(file(`\n${line(101)}`)))).toEqual([
    'src/core/x.ts:2: has 101 columns. Break it before column 100.',
  ]);
});

test('[REP-41] a row of a table, an address and a line with one literal may be longer', () => {
  const long = 'x'.repeat(101);
  for (const text of [`| ${long} |`, `See https://example.com/${long}`, `  '${long}',`])
    expect(checks.lineFaults(page(text)), text).toEqual([]);
  expect(checks.lineFaults(file(`test('[ORD-01] ${long}', () => {`))).toEqual([]);
  expect(checks.lineFaults(page(long))).toHaveLength(1);
});

test('[REP-42] a sentence of 26 words in a comment is a violation, one of 25 is not', () => {
  expect(checks.commentSentenceFaults(file(`/** ${words(25)}. ${words(25)}. */`))).toEqual([]);
  expect(
    input(checks.commentSentenceFaults(file(`/**\n * ${words(20)}\n * ${words(6)}.\n */`))),
  ).toEqual(['src/core/x.ts:2: has a sentence of 26 words. Make it two of at most 25.']);
  expect(checks.commentSentenceFaults(file(`const text = '${words(26)}';`))).toEqual([]);
});

test('[REP-42] in a document code and tables are no prose, and items are sentences', () => {
  expect(checks.sentenceFaults(page(`${words(26)}.`))).toHaveLength(1);
  expect(checks.sentenceFaults(page(`- ${words(20)}\n- ${words(20)}`))).toEqual([]);
  expect(checks.sentenceFaults(page(`| ${words(30)} |`))).toEqual([]);
  expect(checks.sentenceFaults(page(`\`\`\`sh\n${words(30)}\n\`\`\``))).toEqual([]);
  expect(checks.sentenceFaults(page(`${words(24)} \`one two three\`.`))).toEqual([]);
});
