import { describe, expect, test } from 'vitest';
import type { Endpoint } from './endpoint.ts';
import { publicEndpoints } from './endpoints.ts';

const rows: Readonly<Record<string, Endpoint>> = publicEndpoints;

/** The v2 call, its path, and the equal v3 call. */
const twins = [
  ['requestSpotWithdrawal', 'POST /api/v2/spot/wallet/withdrawal', 'requestWithdrawal'],
  [
    'listSpotWithdrawalRecords',
    'GET /api/v2/spot/wallet/withdrawal-records',
    'listWithdrawalRecords',
  ],
  ['listSpotDepositRecords', 'GET /api/v2/spot/wallet/deposit-records', 'listDepositRecords'],
  ['cancelSpotWithdrawal', 'POST /api/v2/spot/wallet/cancel-withdrawal', 'cancelWithdrawal'],
  ['getSpotDepositAddress', 'GET /api/v2/spot/wallet/deposit-address', 'getDepositAddress'],
] as const;

const asked = ({ request }: Endpoint): readonly string[] => Object.keys(request.fields).toSorted();

describe('deposits and withdrawals of v2', () => {
  test.each(twins)(
    '[WDR-41] %s is %s, with the permission, limit and fields of %s',
    (name, call, twin) => {
      const [row, other] = [rows[name]!, rows[twin]!];
      expect(`${row.method} ${row.path}`).toBe(call);
      expect([row.access, row.limit]).toEqual([other.access, other.limit]);
      expect(asked(row)).toEqual(
        asked(other)
          .map((field) => (field === 'cursor' ? 'idLessThan' : field))
          .toSorted(),
      );
    },
  );
});
