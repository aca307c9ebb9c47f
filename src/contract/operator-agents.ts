/** The operator plane, agents: who is one and on what terms, and what users may pay fees with. */
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
    summary: 'Make a user an agent, or change the terms of one',
    access: 'operator',
    request: careful(
      request({
        uid,
        affiliationType: field.describe(
          'Channel: `affiliate` for clients, `official` for the web site',
          field.words(affiliationWords),
        ),
        spotRatio: field.describe(
          'What the agent earns of spot and margin fees; 0.3 means 30 %',
          number.decimal(),
        ),
        futuresRatio: field.describe('What the agent earns of futures fees', number.decimal()),
        userShare: field.describe(
          'What of a rebate goes on to the customer; nothing when left out',
          field.optional(number.decimal()),
        ),
      }),
    ),
    response: object({
      referralCode: text('Users who register with it are customers of the agent'),
    }),
    rules: [...rules, 'AGT-01', 'AGT-02', 'AGT-24', 'API-153'],
  }),

  listAgents: endpoint({
    method: 'GET',
    path: '/operator/v1/agents',
    group,
    summary: 'Agents with their terms',
    access: 'operator',
    request: exact(
      request({ uid: field.describe('Only this agent', field.optional(identifier.uid())) }),
    ),
    response: listOf(
      object({
        uid: text('User ID'),
        referralCode: text('Referral code'),
        affiliationType: wordOf(affiliationWords, 'Channel'),
        spotRatio: text('What the agent earns of spot and margin fees'),
        futuresRatio: text('What the agent earns of futures fees'),
        userShare: text('What of a rebate goes on to the customer'),
        customers: wholeNumber('Direct customers'),
      }),
    ),
    rules: [...rules, 'AGT-01', 'API-152'],
  }),

  grantFeeCredit: endpoint({
    method: 'POST',
    path: '/operator/v1/fee-credits',
    group,
    summary: 'Give a user something to pay fees with',
    access: 'operator',
    request: exact(
      request({
        uid,
        coin: field.describe('Coin of the fees it pays', identifier.coin()),
        kind: field.describe(
          'Kind, which is the column it is shown in',
          field.words(feeCreditWords),
        ),
        size: field.describe('Amount', number.decimal()),
      }),
    ),
    response: object({ creditId: text('ID of the credit') }),
    rules: [...rules, 'AGT-27', 'AGT-150', 'API-58'],
  }),
} as const;
