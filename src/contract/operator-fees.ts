/** The operator API for the fees of each level. */
import { FEE_MARKETS } from '../messages/fees.ts';
import { LEVELS } from '../messages/vocabulary.ts';
import { endpoint, exact, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as number from './number-fields.ts';
import { described, listOf, nothing, object, text, word } from './shapes.ts';

const group = 'Operator: fees';
const rules = ['API-26', 'POS-26', 'POS-87'] as const;

const feeTable = (market: string) =>
  described(
    `Fees of ${market}, ordered by level`,
    listOf(
      object({
        level: word(LEVELS, 'Level'),
        maker: text('Maker fee rate'),
        taker: text('Taker fee rate'),
      }),
    ),
  );

export const operatorFeeRows = {
  setFees: endpoint({
    method: 'POST',
    path: '/operator/v1/fees',
    group,
    summary: 'Set the fees of levels from now on; other levels keep their fees',
    access: 'operator',
    request: exact(
      request({
        market: field.describe('Spot and margin, or futures', field.sameWords(FEE_MARKETS)),
        rates: field.describe(
          'Fees by level; a level pays at most what the level before it pays',
          field.listOf(
            field.objectOf({
              level: field.describe('Level', field.sameWords(LEVELS)),
              maker: field.describe(
                'Maker fee rate, at most the taker fee rate; 0.0002 means 0.02 %',
                number.decimal(),
              ),
              taker: field.describe('Taker fee rate, at most 0.1', number.decimal()),
            }),
            LEVELS.length,
            1,
          ),
        ),
      }),
    ),
    response: nothing,
    rules: [...rules, 'API-58'],
  }),

  getFees: endpoint({
    method: 'GET',
    path: '/operator/v1/fees',
    group,
    summary: 'List the fees of each level',
    access: 'operator',
    request: request({}),
    response: object({ spot: feeTable('spot and margin'), futures: feeTable('futures') }),
    rules,
  }),
} as const;
