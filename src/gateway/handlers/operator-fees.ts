/** Operator API: fees. */
import type { operatorFeeRows } from '../../contract/operator-fees.ts';
import type { FeeTable } from '../../formulas/fees.ts';
import { moneyText } from '../../kernel/money.ts';
import { ok } from '../../kernel/result.ts';
import { LEVELS } from '../../messages/vocabulary.ts';
import type { HandlersOf } from './handler.ts';
import { type HandlerParts, submitAndShow } from './parts.ts';

const feeRows = (table: FeeTable) =>
  LEVELS.map((level) => ({
    level,
    maker: moneyText(table[level].maker),
    taker: moneyText(table[level].taker),
  }));

export const operatorFeeHandlers = ({
  submit,
  views,
}: HandlerParts): HandlersOf<typeof operatorFeeRows> => ({
  setFees: (fees) => submitAndShow(submit, { type: 'setFees', ...fees }, () => null),

  getFees: () =>
    ok({
      spot: feeRows(views.feeRates.table('spot')),
      futures: feeRows(views.feeRates.table('futures')),
    }),
});
