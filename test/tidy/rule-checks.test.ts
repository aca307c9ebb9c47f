/** Tests the checks between rules and tests on planted rules and planted tests. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: planted source holds templates
import { expect, test } from 'vitest';
import * as checks from './rule-checks.ts';
import { type Fault, faultText, type SourceFile } from './source-text.ts';

const file = (path: string, text: string): SourceFile => ({ path, text });
const input = (faults: readonly Fault[]): string[] => faults.map(faultText);
const rulesOf = (text: string) => checks.rulesIn(file('docs/rules/orders.md', text));
const titlesOf = (text: string) => checks.testTitlesIn(file('src/core/x.test.ts', text));

test('[REP-14] rules are read with their marks', () => {
  const rules = rulesOf(
    '# Orders\n- **ORD-01** One.\n- **ORD-02** Two. (planned)\n- **ORD-03** Three. (ours) (planned)\n- **LIST-04** Four (planned) for later. (ours)\n',
  );
  expect(rules.map(({ id, line, planned }) => [id, line, planned])).toEqual([
    ['ORD-01', 2, false],
    ['ORD-02', 3, true],
    ['ORD-03', 4, true],
    ['LIST-04', 5, false],
  ]);
});

test('[REP-14] an incomplete rule line is a violation', () => {
  const planted = file(
    'docs/rules/orders.md',
    '- **ORD-01**: One.\n* **ORD-02** Two.\n- **ORD-3** Three.\n- **ORD-04** Four.\n- **ORDER-05** Five.\n- a plain point',
  );
  expect(input(checks.ruleFormFaults(planted))).toEqual([
    'docs/rules/orders.md:1: "- **ORD-01**: One." is not read as a rule. Write it as: - **ABC-01** Sentence.',
    'docs/rules/orders.md:2: "* **ORD-02** Two." is not read as a rule. Write it as: - **ABC-01** Sentence.',
    'docs/rules/orders.md:3: "- **ORD-3** Three." is not read as a rule. Write it as: - **ABC-01** Sentence.',
    'docs/rules/orders.md:5: "- **ORDER-05** Five." is not read as a rule. Write it as: - **ABC-01** Sentence.',
  ]);
});

test('[REP-15] an id used twice is a violation that names the first place', () => {
  const rules = [
    ...rulesOf('- **ORD-01** One.'),
    ...checks.rulesIn(file('docs/rules/prices.md', '\n- **ORD-01** Other.')),
  ];
  expect(input(checks.duplicateRuleFaults(rules))).toEqual([
    'docs/rules/prices.md:2: ORD-01 is already in docs/rules/orders.md:1. Give this rule the next free number; ids are never used twice.',
  ]);
});

test('[REP-16] titles are found in every form of a test call', () => {
  const planted = [
    "test('[ORD-01] one', () => {});",
    'test("[ORD-01][ORD-02] two", () => {});',
    'it(`[ORD-03] three ${more}`, () => {});',
    "test.each([[1, '('], [2, ')']])('[ORD-04] four %s', () => {});",
    "test.concurrent('[ORD-05] five', () => {});",
    'test.each`a | b\n${1} | ${2}`(\n  "[ORD-06] six", () => {});',
    "regex.test('not a title'); // test('nor this')",
  ].join('\n');
  expect(titlesOf(planted).map(({ ids }) => ids.join(' '))).toEqual([
    'ORD-01',
    'ORD-01 ORD-02',
    'ORD-03',
    'ORD-04',
    'ORD-05',
    'ORD-06',
  ]);
});

test('[REP-16] a title without a rule, or a computed one, is a violation', () => {
  expect(
    input(
      checks.titleFaults(
        titlesOf(
          "test('works', () => {});\ntest(title, () => {});\ntest('[ORD-01]', () => {});\ntest('[ORD-01] good', () => {});",
        ),
      ),
    ),
  ).toEqual([
    'src/core/x.test.ts:1: the test title "works" names no rule. Begin it with the rule it proves: \'[ORD-01] what is true\'.',
    "src/core/x.test.ts:2: a test title that is not written out names no rule. Begin it with the rule it proves: '[ORD-01] what is true'.",
    'src/core/x.test.ts:3: the test title "[ORD-01]" names no rule. Begin it with the rule it proves: \'[ORD-01] what is true\'.',
  ]);
});

test('[REP-14] a rule continues on the lines that are indented below it', () => {
  const [rule, next] = rulesOf('- **ORD-01** One\n  two. (planned)\n- **ORD-02** Three.\n\nText.');
  expect([rule!.sentence, rule!.planned]).toEqual(['One two. (planned)', true]);
  expect([next!.sentence, next!.line]).toEqual(['Three.', 3]);
});

test('[REP-35] a rule of 300 characters is accepted, one of 301 is not', () => {
  const rule = (length: number) => rulesOf(`- **ORD-01** ${'x'.repeat(length)}`);
  expect(checks.longRuleFaults(rule(300))).toEqual([]);
  expect(input(checks.longRuleFaults(rule(301)))).toEqual([
    'docs/rules/orders.md:1: ORD-01 has 301 characters, at most 300 are allowed. Make it several rules.',
  ]);
});

test('[REP-17] a title that cites a missing rule is a violation', () => {
  expect(
    input(
      checks.unknownRuleFaults(
        titlesOf("test('[ORD-01][ORD-99] x', () => {});"),
        rulesOf('- **ORD-01** One.'),
      ),
    ),
  ).toEqual([
    'src/core/x.test.ts:1: cites ORD-99, which no file under docs/rules holds. Write the rule there, or cite the one that is meant.',
  ]);
});

test('[REP-18] a rule without a test is a violation unless it is planned', () => {
  const rules = rulesOf('- **ORD-01** One.\n- **ORD-02** Two.\n- **ORD-03** Three. (planned)');
  expect(
    input(checks.unprovedRuleFaults(rules, titlesOf("test('[ORD-01] x', () => {});"))),
  ).toEqual([
    'docs/rules/orders.md:2: ORD-02 is proved by no test. Write one whose title begins with [ORD-02], or mark the rule (planned) while it is not built.',
  ]);
});

test('[REP-19] an id in a comment or a row must lead to a rule; other words with hyphens are ignored', () => {
  const planted = file(
    'src/core/x.ts',
    "// first the fee (ORD-01), then ORD-07\nrules: ['ORD-08'], hash: 'SHA-256'",
  );
  expect(input(checks.citationFaults(planted, rulesOf('- **ORD-01** One.')))).toEqual([
    'src/core/x.ts:1: cites ORD-07, which no file under docs/rules holds. Correct the id, or write the rule.',
    'src/core/x.ts:2: cites ORD-08, which no file under docs/rules holds. Correct the id, or write the rule.',
  ]);
});
