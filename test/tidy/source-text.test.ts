/** Tests the parser of the tidy checks: it must separate text from code and keep positions. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: planted source holds templates
import { expect, test } from 'vitest';
import { blankOut } from './source-text.ts';

const bareOf = (text: string): string => blankOut(text).bare;

test('[REP-03] comments and the inside of literals are blanked, the quotes and all else stay', () => {
  expect(bareOf("a('b') // c\nd")).toBe("a(' ')     \nd");
  expect(bareOf('a /* b\nc */ d')).toBe('a     \n     d');
  expect(bareOf(`a("it's") + b`)).toBe('a("    ") + b');
  expect(bareOf("'a\\'b' c")).toBe("'    ' c");
});

test('[REP-03] templates are blanked, their holes are code', () => {
  expect(bareOf('`a ${b(`c ${d} e`)} f` + g')).toBe('`  ${b(`  ${d}  `)}  ` + g');
  expect(bareOf('`${{ a: 1 }.a}` b')).toBe('`${{ a: 1 }.a}` b');
  expect(bareOf('`\\`` + a')).toBe('`  ` + a');
});

test('[REP-03] a slash is a division after a value and a regular expression elsewhere', () => {
  expect(bareOf('a / b / c')).toBe('a / b / c');
  expect(bareOf('x = /a[/]b/.test(y)')).toBe('x = /     /.test(y)');
  expect(bareOf("return /'/;")).toBe('return / /;');
  expect(bareOf('(a + b) / 2; // half')).toBe('(a + b) / 2;        ');
});

test('[REP-03] every result has the length and the lines of the text', () => {
  const text = "/** A. */\nconst a = `x\n${1 / 2}`; // b\nconst c = /d/g;\n'unended";
  const { code, bare, comments } = blankOut(text);
  for (const reading of [code, bare, comments]) {
    expect(reading).toHaveLength(text.length);
    expect(reading.split('\n')).toHaveLength(text.split('\n').length);
  }
});
