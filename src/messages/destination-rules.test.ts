/** Checks the tags that each kind of chain takes. */
import { expect, test } from 'vitest';
import { destinationRule } from './destination-rules.ts';
import { ADDRESS_KINDS, type AddressKind } from './vocabulary.ts';

const takes = (kind: AddressKind, tag: string): boolean => {
  const rule = destinationRule('USDT', kind);
  return rule.kind === 'address' && rule.isTag(tag);
};

test('[WDR-10] a tag of XRP is a whole number of 32 bits', () => {
  for (const tag of ['0', '12345', '0000000001', '4294967295'])
    expect([tag, takes('xrp', tag)]).toEqual([tag, true]);
  for (const tag of ['', ' 1', '-1', '1.0', '1e3', 'memo', '4294967296', '00000000001'])
    expect([tag, takes('xrp', tag)]).toEqual([tag, false]);
});

test('[WDR-10] other addresses take any tag, and an invoice takes none', () => {
  expect(ADDRESS_KINDS.filter((kind) => takes(kind, 'memo 7'))).toEqual([
    'evm',
    'bitcoin',
    'tron',
    'solana',
  ]);
  expect(destinationRule('BTC', 'lightning')).toEqual({ kind: 'invoice' });
});
