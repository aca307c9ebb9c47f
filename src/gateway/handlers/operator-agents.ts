/** Operator API: agents. */
import type { operatorAgentRows } from '../../contract/operator-agents.ts';
import { idText } from '../../kernel/ids.ts';
import { moneyText } from '../../kernel/money.ts';
import { ok } from '../../kernel/result.ts';
import type { HandlersOf } from './handler.ts';
import { type HandlerParts, submitAndShow } from './parts.ts';

export const operatorAgentHandlers = ({
  submit,
  views,
}: HandlerParts): HandlersOf<typeof operatorAgentRows> => ({
  makeAgent: ({ affiliationType: affiliation, ...spec }) =>
    submitAndShow(submit, { type: 'makeAgent', affiliation, ...spec }, ({ referralCode }) => ({
      referralCode,
    })),

  listAgents: ({ uid }) =>
    ok(
      views.agents
        .agents()
        .filter((agent) => uid === undefined || agent.uid === uid)
        .map((agent) => ({
          uid: String(agent.uid),
          referralCode: agent.referralCode,
          affiliationType: agent.affiliation,
          spotRatio: moneyText(agent.spotRatio),
          futuresRatio: moneyText(agent.futuresRatio),
          userShare: moneyText(agent.userShare),
          customers: views.agents.customerCount(agent.uid),
        })),
    ),

  grantFeeCredit: (credit) =>
    submitAndShow(submit, { type: 'grantFeeCredit', ...credit }, ({ creditId }) => ({
      creditId: idText(creditId),
    })),
});
