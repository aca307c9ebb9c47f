/** Checks rules against the tests that prove them and the places that cite them. */
import { RULE_LENGTH_MAX } from './conventions.ts';
import { blankOut, type Fault, lineAt, type SourceFile } from './source-text.ts';

export interface Rule {
  readonly id: string;
  readonly path: string;
  readonly line: number;
  readonly sentence: string;
  /** The capability is not built yet, so no test has to prove it. */
  readonly planned: boolean;
}

const RULE_LINE = /^- \*\*([A-Z]{3,4}-\d{2,3})\*\* (\S.*)$/;
const RULE_LIKE = /^\s*[-*] \*\*[A-Z]{2,}-\d+/;
const PLANNED = /\(planned\)(?: \(ours\))?$/;

/** The lines below that belong to the same entry of the list. */
const CONTINUED = /^ {2,}\S/;

export function rulesIn({ path, text }: SourceFile): readonly Rule[] {
  const lines = text.split('\n');
  return lines.flatMap((content, index) => {
    const found = RULE_LINE.exec(content.trimEnd());
    if (found === null) return [];
    const below = lines.slice(index + 1);
    const end = below.findIndex((line) => !CONTINUED.test(line));
    const continued = below.slice(0, end < 0 ? below.length : end).map((line) => line.trim());
    const sentence = [found[2]!, ...continued].join(' ');
    return [{ id: found[1]!, path, line: index + 1, sentence, planned: PLANNED.test(sentence) }];
  });
}

/** A line that looks like a rule but does not parse as one. */
export function ruleFormFaults({ path, text }: SourceFile): Fault[] {
  return text.split('\n').flatMap((content, index) => {
    if (!RULE_LIKE.test(content) || RULE_LINE.test(content.trimEnd())) return [];
    return [
      {
        path,
        line: index + 1,
        message: `"${content.trim().slice(0, 30)}" is not read as a rule. Write it as: - **ABC-01** Sentence.`,
      },
    ];
  });
}

export const longRuleFaults = (rules: readonly Rule[]): Fault[] =>
  rules
    .filter(({ sentence }) => sentence.length > RULE_LENGTH_MAX)
    .map(({ id, path, line, sentence }) => ({
      path,
      line,
      message: `${id} has ${sentence.length} characters, at most ${RULE_LENGTH_MAX} are allowed. Make it several rules.`,
    }));

export function duplicateRuleFaults(rules: readonly Rule[]): Fault[] {
  const first = new Map<string, Rule>();
  return rules.flatMap((rule) => {
    const before = first.get(rule.id);
    if (before === undefined) {
      first.set(rule.id, rule);
      return [];
    }
    return [
      {
        path: rule.path,
        line: rule.line,
        message: `${rule.id} is already in ${before.path}:${before.line}. Give this rule the next free number; ids are never used twice.`,
      },
    ];
  });
}

export interface TestTitle {
  readonly path: string;
  readonly line: number;
  /** Undefined if the title is not a literal. */
  readonly title: string | undefined;
  readonly ids: readonly string[];
}

/** `test(`, `it.each(table)(`, `` test.each`table`( ``: the place where the title begins. */
const TEST_CALL = /(?<![\w.$])(?:test|it)(?:\.(?!extend\b|step\b)\w+)*\s*(?=[(`])/g;
const TITLE_IDS = /^(?:\[[A-Z]{3,4}-\d{2,3}\])+(?= \S)/;

function closingParenthesis(bare: string, open: number): number {
  let depth = 0;
  for (let at = open; at < bare.length; at++) {
    if (bare[at] === '(') depth++;
    if (bare[at] === ')' && --depth === 0) return at;
  }
  return bare.length;
}

/** The opening parenthesis before the title; in `each` and `for` the table comes first. */
function titleParenthesis(bare: string, call: string, open: number): number {
  if (!/\.(?:each|for)\s*$/.test(call)) return bare[open] === '(' ? open : -1;
  const end = bare[open] === '(' ? closingParenthesis(bare, open) : bare.indexOf('`', open + 1);
  return end < 0 ? -1 : bare.indexOf('(', end);
}

export function testTitlesIn({ path, text }: SourceFile): readonly TestTitle[] {
  const { bare } = blankOut(text);
  return [...bare.matchAll(TEST_CALL)].flatMap((match): TestTitle[] => {
    const open = titleParenthesis(bare, match[0], match.index + match[0].length);
    if (open < 0) return [];
    const start = open + 1 + /^\s*/.exec(bare.slice(open + 1))![0].length;
    const line = lineAt(text, match.index);
    const quote = bare[start];
    if (quote !== "'" && quote !== '"' && quote !== '`')
      return [{ path, line, title: undefined, ids: [] }];
    const end = bare.indexOf(quote, start + 1);
    const title = text.slice(start + 1, end < 0 ? undefined : end);
    const ids = TITLE_IDS.exec(title)?.[0].match(/[A-Z]{3,4}-\d{2,3}/g) ?? [];
    return [{ path, line, title, ids }];
  });
}

export const titleFaults = (titles: readonly TestTitle[]): Fault[] =>
  titles.flatMap(({ path, line, title, ids }) => {
    if (ids.length > 0) return [];
    const found =
      title === undefined ? 'a test title that is not written out' : `the test title "${title}"`;
    return [
      {
        path,
        line,
        message: `${found} names no rule. Begin it with the rule it proves: '[ORD-01] what is true'.`,
      },
    ];
  });

export function unknownRuleFaults(titles: readonly TestTitle[], rules: readonly Rule[]): Fault[] {
  const known = new Set(rules.map(({ id }) => id));
  return titles.flatMap(({ path, line, ids }) =>
    ids
      .filter((id) => !known.has(id))
      .map((id) => ({
        path,
        line,
        message: `cites ${id}, which no file under docs/rules holds. Write the rule there, or cite the one that is meant.`,
      })),
  );
}

export function unprovedRuleFaults(rules: readonly Rule[], titles: readonly TestTitle[]): Fault[] {
  const proved = new Set(titles.flatMap(({ ids }) => ids));
  return rules
    .filter(({ id, planned }) => !planned && !proved.has(id))
    .map(({ id, path, line }) => ({
      path,
      line,
      message: `${id} is proved by no test. Write one whose title begins with [${id}], or mark the rule (planned) while it is not built.`,
    }));
}

/**
 * Checks that ids in comments and in the contract's rows exist. Only the prefixes of docs/rules
 * count as ids.
 */
export function citationFaults(file: SourceFile, rules: readonly Rule[]): Fault[] {
  const known = new Set(rules.map(({ id }) => id));
  const prefixes = [...new Set(rules.map(({ id }) => id.slice(0, id.indexOf('-'))))];
  if (prefixes.length === 0) return [];
  const pattern = new RegExp(`(?<![\\w-])(?:${prefixes.join('|')})-\\d{2,3}(?![\\w-])`, 'g');
  return [...file.text.matchAll(pattern)]
    .filter(([id]) => !known.has(id))
    .map((match) => ({
      path: file.path,
      line: lineAt(file.text, match.index),
      message: `cites ${match[0]}, which no file under docs/rules holds. Correct the id, or write the rule.`,
    }));
}
