/** The checks on prose and names: pure functions from files to violations. */
import { DIALECT, LINE_COLUMNS_MAX, REPLACED_NAMES, SENTENCE_WORDS_MAX } from './conventions.ts';
import { blankOut, type Fault, isAllowed, lineAt, type SourceFile } from './source-text.ts';

const DIALECT_WORD = new RegExp(
  `(?<!\\w)(?:${Object.keys(DIALECT).join('|').replaceAll(' ', '\\s+')})(?!\\w)`,
  'gi',
);

/** Words that an engineer of an exchange would not say, in code, comments and documents alike. */
export function dialectFaults({ path, text }: SourceFile): Fault[] {
  return [...text.matchAll(DIALECT_WORD)]
    .map(({ 0: found, index }) => ({
      path,
      line: lineAt(text, index),
      message: `says "${found}". Say ${DIALECT[found.toLowerCase().replaceAll(/\s+/g, ' ')]}.`,
    }))
    .filter(({ line }) => !isAllowed(text, line));
}

/** `heldByHolder` has the parts held, By and Holder. */
const NAME_PART = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;

const REPLACEMENTS = new Map(
  Object.entries(REPLACED_NAMES).flatMap(([word, instead]) => [
    [word, instead],
    [`${word}s`, instead],
  ]),
);

/** Names that were replaced, also as a part of a longer name. */
export function replacedNameFaults({ path, text }: SourceFile): Fault[] {
  const { bare } = blankOut(text);
  return [...bare.matchAll(NAME_PART)].flatMap(({ 0: found, index }) => {
    const instead = REPLACEMENTS.get(found.toLowerCase());
    const line = instead === undefined ? 0 : lineAt(text, index);
    if (instead === undefined || isAllowed(text, line)) return [];
    return [{ path, line, message: `names something "${found}". The word is ${instead}.` }];
  });
}

/** What cannot be broken: a row of a table, an address, a line that is one title or one literal. */
const UNBREAKABLE =
  /^\||https?:\/\/\S{40}|^\s*(?:(?:test|it|describe)(?:\.\w+)?\()?(?:[\w.]+: )?(?:\w+\()?(['"`]).*\1[,;)]*(?: (?:async )?\(.*)?$/;

/** A line with a quote, template or expression that the formatter leaves alone. */
export function lineFaults({ path, text }: SourceFile): Fault[] {
  return text.split('\n').flatMap((line, at) => {
    if (line.length <= LINE_COLUMNS_MAX || UNBREAKABLE.test(line) || isAllowed(text, at + 1))
      return [];
    const message = `has ${line.length} columns. Break it before column ${LINE_COLUMNS_MAX}.`;
    return [{ path, line: at + 1, message }];
  });
}

interface Sentence {
  readonly line: number;
  readonly text: string;
}

/** A sentence ends at a stop, a colon, a semicolon, a blank line, a list item or a heading. */
const SENTENCE_END = /[.!?:;](?=[\s)*"”]|$)|\n\s*\n|\n\s*(?=[-*|#>]|\d+\. )/g;

function sentencesIn(prose: string): Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  const add = (end: number): void => {
    const text = prose.slice(start, end);
    const lead = text.length - text.trimStart().length;
    if (text.trim() !== '') sentences.push({ line: lineAt(prose, start + lead), text });
    start = end;
  };
  for (const { 0: found, index } of prose.matchAll(SENTENCE_END)) add(index + found.length);
  add(prose.length);
  return sentences;
}

const longSentences = (path: string, text: string, prose: string): Fault[] =>
  sentencesIn(prose).flatMap((sentence) => {
    const words = sentence.text.split(/\s+/).filter((word) => /\w/.test(word)).length;
    if (words <= SENTENCE_WORDS_MAX || isAllowed(text, sentence.line)) return [];
    const message = `has a sentence of ${words} words. Make it two of at most ${SENTENCE_WORDS_MAX}.`;
    return [{ path, line: sentence.line, message }];
  });

const blank = (found: string): string => found.replaceAll(/[^\n]/g, ' ');

/** Inline code counts as one word, however many it holds. */
const codeAsWord = (found: string): string => `c${blank(found).slice(1)}`;

/** Comments: the stars and slashes are no words. */
export function commentSentenceFaults({ path, text }: SourceFile): Fault[] {
  const prose = blankOut(text)
    .comments.replaceAll(/^\s*(?:\/\*\*?|\*\/|\*|\/\/)|\*\/\s*$/gm, blank)
    .replaceAll(/`[^`\n]*`/g, codeAsWord)
    .replaceAll(/@\w+.*$/gm, blank);
  return longSentences(path, text, prose);
}

/** Documents: blocks of code and tables are no prose. */
export function sentenceFaults({ path, text }: SourceFile): Fault[] {
  const prose = text
    .replaceAll(/^( *)```[\s\S]*?^\1```/gm, (found) => `\n${blank(found).slice(1)}`)
    .replaceAll(/^\s*\|.*$/gm, (found) => blank(found))
    .replaceAll(/`[^`]*`/g, codeAsWord);
  return longSentences(path, text, prose);
}
