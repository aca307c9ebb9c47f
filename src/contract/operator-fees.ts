/** The operator plane, fees: what each level pays. */
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
    `Of ${market}, the first level first`,
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
    summary: 'Set what levels pay from now on; levels that are left out pay what they paid',
    access: 'operator',
    request: exact(
      request({
        market: field.describe('Spot and margin, or futures', field.sameWords(FEE_MARKETS)),
        rates: field.describe(
          'Each level pays no more than the one before it',
          field.listOf(
            field.objectOf({
              level: field.describe('Level', field.sameWords(LEVELS)),
              maker: field.describe(
                'Maker fee rate: 0.0002 is 0.02 %; no more than the taker fee rate',
                number.decimal(),
              ),
              taker: field.describe('Taker fee rate, 0.1 at most', number.decimal()),
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
    summary: 'What each level pays',
    access: 'operator',
    request: request({}),
    response: object({ spot: feeTable('spot and margin'), futures: feeTable('futures') }),
    rules,
  }),
} as const;
