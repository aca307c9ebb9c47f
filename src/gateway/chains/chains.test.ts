/** Checks addresses and invoices against examples from the documents of their chains. */
import { describe, expect, test } from 'vitest';
import type { Uid } from '../../kernel/ids.ts';
import type { Chain } from '../../messages/listings.ts';
import { ADDRESS_KINDS, type AddressKind } from '../../messages/vocabulary.ts';
import { isAddressOf } from './address-rules.ts';
import { depositAddress, houseAddress, ownerOfAddress } from './deposit-addresses.ts';
import { invoice } from './invoices.test-support.ts';
import { readInvoice } from './invoices.ts';

/**
 * From EIP-55, BIP-173, BIP-350 and the Tron, Solana and XRP documents, each beside a mistyped
 * version.
 */
const ADDRESSES: readonly (readonly [AddressKind, right: string, wrong: string])[] = [
  [
    'evm',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed',
  ],
  [
    'evm',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d35',
  ],
  ['evm', '0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359', 'fb6916095ca1df60bb79ce92ce3ea74c37c5d359'],
  [
    'evm',
    '0xFB6916095CA1DF60BB79CE92CE3EA74C37C5D359',
    '0xgB6916095CA1DF60BB79CE92CE3EA74C37C5D359',
  ],
  ['bitcoin', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3'],
  ['bitcoin', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLz'],
  [
    'bitcoin',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
  ],
  [
    'bitcoin',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
    'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
  ],
  ['tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T'],
  [
    'solana',
    'So11111111111111111111111111111111111111112',
    'So1111111111111111111111111111111111111111O',
  ],
  // The system program is 32 zero bytes; one more or less `1` makes 33 or 31. 2^256 - 1 is the
  // largest key, so 2^256 is invalid.
  ['solana', '11111111111111111111111111111111', '111111111111111111111111111111111'],
  ['solana', '11111111111111111111111111111112', '1111111111111111111111111111111'],
  [
    'solana',
    'JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG',
    'JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFH',
  ],
  ['xrp', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTj'],
];

describe('addresses', () => {
  test.each(ADDRESSES)('[WDR-08] %s: %s is an address, %s is not', (kind, right, wrong) => {
    expect([isAddressOf(kind, right), isAddressOf(kind, wrong)]).toEqual([true, false]);
  });

  test('[WDR-08] an address of one chain is not an address of another chain', () => {
    for (const [kind, right] of ADDRESSES) {
      expect(ADDRESS_KINDS.filter((other) => isAddressOf(other, right))).toEqual([kind]);
    }
  });

  test('[WDR-08] empty texts, texts with spaces and overlong texts are not addresses', () => {
    for (const kind of ADDRESS_KINDS)
      for (const text of ['', ' ', 'x'.repeat(1_024), '0x', 'lnbc', `${ADDRESSES[0]![1]} `])
        expect(isAddressOf(kind, text)).toBe(false);
  });
});

describe('invoices', () => {
  /**
   * The third example of BOLT 11: 20 milli-bitcoin, created on 1 June 2017, with the default expiry
   * of an hour.
   */
  const EXAMPLE =
    'lnbc20m1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqhp58yjmdan79s6qqdhdzgynm4zwqd5d7xmw5fk98klysy043l2ahrqsfpp3qjmp7lwpagxun9pygexvgpjdc4jdj85fr9yq20q82gphp2nflc7jtzrcazrra7wwgzxqc8u7754cdlpfrmccae92qgzqvzq2ps8pqqqqqqpqqqqq9qqqvpeuqafqxu92d8lr6fvg0r5gv0heeeqgcrqlnm6jhphu9y00rrhy4grqszsvpcgpy9qqqqqqgqqqqq7qqzqj9n4evl6mr5aj9f58zp6fyjzup6ywn3x6sk8akg5v4tgn2q8g4fhx05wf6juaxu9760yp46454gpg5mtzgerlzezqcqvjnhjh8z3g2qqdhhwkj';

  test('[WDR-06] an invoice gives its amount, hash and expiry as written', () => {
    expect(readInvoice(EXAMPLE)).toEqual({
      paymentHash: '0001020304050607080900010203040506070809000102030405060708090102',
      amount: '0.02',
      expiresAt: (1_496_314_658 + 3_600) * 1_000,
    });
    expect(readInvoice(EXAMPLE.toUpperCase())).toEqual(readInvoice(EXAMPLE));
    expect(readInvoice(`${EXAMPLE.slice(0, -1)}q`)).toBeUndefined();
    expect(readInvoice(EXAMPLE.replace('LNBC', 'lnbc').replace('q', 'Q'))).toBeUndefined();
  });

  test.each([
    ['1m', '0.001'],
    ['25u', '0.000025'],
    ['2500000n', '0.0025'],
    ['10p', '0.00000000001'],
    ['2', '2'],
    ['', undefined],
  ])('[WDR-06] an amount of %s is %s bitcoin', (amount, text) => {
    expect(readInvoice(invoice({ amount }))?.amount).toBe(text);
  });

  test('[WDR-09] an invoice’s own expiry counts, and an invoice of another network is refused', () => {
    expect(readInvoice(invoice({ madeAt: 1_000, expirySeconds: 60 }))?.expiresAt).toBe(1_060_000);
    for (const network of ['tb', 'tbs', 'bcrt', 'sb'])
      for (const amount of ['1m', ''])
        expect(readInvoice(invoice({ network, amount }))).toBeUndefined();
  });

  test('[WDR-09] an invoice without a full payment hash is refused', () => {
    expect(readInvoice(invoice({ hashWords: 52 }))?.paymentHash).toHaveLength(64);
    for (const hashWords of [0, 50]) expect(readInvoice(invoice({ hashWords }))).toBeUndefined();
  });
});

describe('deposit addresses', () => {
  const chainOf = (addressKind: AddressKind, needsTag = false): Chain =>
    ({ addressKind, needsTag }) as Chain;
  const [ann, ben] = [1_000_000_001 as Uid, 1_000_000_002 as Uid];

  test.each(ADDRESS_KINDS.filter((kind) => kind !== 'lightning'))(
    '[WDR-32] %s: a deposit address is constant, valid and unique to its user',
    (kind) => {
      const own = depositAddress(ann, chainOf(kind))!;
      expect(depositAddress(ann, chainOf(kind))).toEqual(own);
      expect(isAddressOf(kind, own.address)).toBe(true);
      expect(own.tag).toBe('');
      const others = [depositAddress(ben, chainOf(kind))!.address, houseAddress(kind)];
      expect(new Set([own.address, ...others]).size).toBe(3);
      for (const address of others) expect(isAddressOf(kind, address)).toBe(true);
    },
  );

  test.each(ADDRESS_KINDS.filter((kind) => kind !== 'lightning'))(
    '[WDR-46] %s: the owner can be found from an address',
    (kind) => {
      const chain = chainOf(kind);
      const owner = (address: string) => ownerOfAddress(chain, { address, tag: undefined });
      const million = [0, 1, 2, 999_999].map((place) => (1_000_000_001 + place) as Uid);
      for (const uid of million) expect(owner(depositAddress(uid, chain)!.address)).toBe(uid);
      expect(owner(houseAddress(kind))).toBeUndefined();
      for (const [, address] of ADDRESSES.filter(([of]) => of === kind))
        expect(owner(address)).toBeUndefined();
    },
  );

  test('[WDR-46] letter case matters only on chains that distinguish it; a tag decides on chains with tags', () => {
    const evm = depositAddress(ann, chainOf('evm'))!.address;
    expect(
      ownerOfAddress(chainOf('evm'), { address: `0x${evm.slice(2).toUpperCase()}`, tag: '' }),
    ).toBe(ann);
    const { address, tag } = depositAddress(ann, chainOf('xrp', true))!;
    const owner = (input: string | undefined) =>
      ownerOfAddress(chainOf('xrp', true), { address, tag: input });
    expect([owner(tag), owner(`0${tag}`), owner(undefined), owner('x')]).toEqual([
      ann,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('[WDR-32] on a chain with tags users share an address and differ by tag; Lightning has no address', () => {
    const [first, second] = [ann, ben].map((uid) => depositAddress(uid, chainOf('xrp', true))!);
    expect(first!.address).toBe(second!.address);
    expect([first!.tag, second!.tag]).toEqual([String(ann), String(ben)]);
    expect([depositAddress(ann, chainOf('lightning')), houseAddress('lightning')]).toEqual([
      undefined,
      '',
    ]);
  });
});
