import { expect, test } from 'vitest';
import { operatorTokenCheck } from './operator-token.ts';

const isToken = operatorTokenCheck('T0ken-of-the-operator');

test.each([
  'Bearer T0ken-of-the-operator',
  'bearer T0ken-of-the-operator',
  'Bearer   T0ken-of-the-operator',
])('[OPR-01] %j carries the token', (header) => {
  expect(isToken(header)).toBe(true);
});

test('[OPR-01] a token of the maximum length is accepted', () => {
  const token = 'x'.repeat(256);
  expect(operatorTokenCheck(token)(`Bearer ${token}`)).toBe(true);
  expect(operatorTokenCheck(token)(`Bearer ${token.slice(1)}`)).toBe(false);
});

test.each([
  undefined,
  '',
  'Bearer',
  'Bearer ',
  'T0ken-of-the-operator',
  'Basic T0ken-of-the-operator',
  'Basic Bearer T0ken-of-the-operator',
  'Bearer t0ken-of-the-operator',
  'Bearer T0ken-of-the-operato',
  'Bearer T0ken-of-the-operator x',
  'Bearer T0ken-of-the-operator, Bearer x',
])('[OPR-01] %j does not carry the token', (header) => {
  expect(isToken(header)).toBe(false);
});
