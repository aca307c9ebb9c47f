/** Proves that every rule has a test and that every cited rule exists. */
import { expect, test } from 'vitest';
import { expectTidy } from './expect-tidy.ts';
import { isTidyItself, ruleDocuments, sources, tests } from './repository.ts';
import * as checks from './rule-checks.ts';

const rules = ruleDocuments.flatMap(checks.rulesIn);
const titles = tests.flatMap(checks.testTitlesIn);

test('[REP-14] every line meant as a rule is read as one, and there are rules', () => {
  expectTidy(ruleDocuments.flatMap(checks.ruleFormFaults));
  expect(rules.length).toBeGreaterThan(0);
});
test('[REP-35] no rule is longer than 300 characters', () =>
  expectTidy(checks.longRuleFaults(rules)));
test('[REP-15] no two rules have the same id', () => expectTidy(checks.duplicateRuleFaults(rules)));
test('[REP-16] every test title begins with the rule it proves', () =>
  expectTidy(checks.titleFaults(titles)));
test('[REP-17] every rule cited by a test title exists', () =>
  expectTidy(checks.unknownRuleFaults(titles, rules)));
test('[REP-18] every rule that is not planned is proved by a test', () =>
  expectTidy(checks.unprovedRuleFaults(rules, titles)));
test('[REP-19] every rule cited in a comment or in the contract exists', () => {
  expectTidy(
    sources
      .filter((file) => !isTidyItself(file))
      .flatMap((file) => checks.citationFaults(file, rules)),
  );
});
