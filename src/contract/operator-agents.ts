/** The operator API for agents: their terms, and credits that pay fees. */
import { careful, endpoint, exact, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { listOf, object, text, wholeNumber } from './shapes.ts';
import { affiliationWords, feeCreditWords, wordOf } from './wire-words.ts';

const group = 'Operator: agents';
const rules = ['API-26'] as const;
const uid = field.describe('User ID', identifier.uid());

export const operatorAgentRows = {
  makeAgent: endpoint({
    method: 'POST',
    path: '/operator/v1/agents',
    group,
    summary: 'Make a user an agent, or change the terms of an agent',
    access: 'operator',
    request: careful(
      request({
        uid,
        affiliationType: field.describe(
          'Channel: `affiliate` for clients, `official` for the web site',
          field.words(affiliationWords),
        ),
        spotRatio: field.describe(
          'Share of spot and margin fees that the agent earns; 0.3 means 30 %',
          number.decimal(),
        ),
        futuresRatio: field.describe(
          'Share of futures fees that the agent earns',
          number.decimal(),
        ),
        userShare: field.describe(
          'Share of the rebate that the customer gets; 0 when left out',
          field.optional(number.decimal()),
        ),
      }),
    ),
    response: object({
      referralCode: text(
        'Referral code; users that register with it become customers of the agent',
      ),
    }),
    rules: [...rules, 'AGT-01', 'AGT-02', 'AGT-24', 'API-153'],
  }),

  listAgents: endpoint({
    method: 'GET',
    path: '/operator/v1/agents',
    group,
    summary: 'List agents and their terms',
    access: 'operator',
    request: exact(
      request({ uid: field.describe('Only this agent', field.optional(identifier.uid())) }),
    ),
    response: listOf(
      object({
        uid: text('User ID'),
        referralCode: text('Referral code'),
        affiliationType: wordOf(affiliationWords, 'Channel'),
        spotRatio: text('Share of spot and margin fees that the agent earns'),
        futuresRatio: text('Share of futures fees that the agent earns'),
        userShare: text('Share of the rebate that the customer gets'),
        customers: wholeNumber('Direct customers'),
      }),
    ),
    rules: [...rules, 'AGT-01', 'API-152'],
  }),

  grantFeeCredit: endpoint({
    method: 'POST',
    path: '/operator/v1/fee-credits',
    group,
    summary: 'Give a user a credit that pays fees',
    access: 'operator',
    request: exact(
      request({
        uid,
        coin: field.describe('Coin of the fees that the credit pays', identifier.coin()),
        kind: field.describe(
          'Kind of credit; it decides the column in which the payment appears',
          field.words(feeCreditWords),
        ),
        size: field.describe('Amount', number.decimal()),
      }),
    ),
    response: object({ creditId: text('ID of the credit') }),
    rules: [...rules, 'AGT-27', 'AGT-150', 'API-58'],
  }),
} as const;
