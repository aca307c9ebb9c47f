/** Operator API: withdrawal decisions, the kill switch, reserves, and the audit trail. */
import type { operatorWithdrawalRows } from '../../contract/operator-withdrawals.ts';
import { wireRejection } from '../../contract/wire-rejections.ts';
import { wireWord, withdrawalStatusWords } from '../../contract/wire-words.ts';
import { type Id, idText } from '../../kernel/ids.ts';
import { moneyText } from '../../kernel/money.ts';
import { ok, refuse } from '../../kernel/result.ts';
import { smallLetters } from '../../kernel/small-letters.ts';
import type { CommandOf } from '../../messages/commands.ts';
import type { WithdrawalDecision } from '../../messages/vocabulary.ts';
import type { OperatorActRow } from '../../views/history/operator-acts.ts';
import type { HandlersOf } from './handler.ts';
import { type HandlerParts, submitAndShow } from './parts.ts';
import { refusalOfNamed, withdrawalsOf } from './withdrawal-lists.ts';
import { deskText, waitingText } from './withdrawal-texts.ts';

type DeskHandlers = HandlersOf<typeof operatorWithdrawalRows>;
type DecisionName =
  | 'approveWithdrawal'
  | 'rejectWithdrawal'
  | 'confirmWithdrawal'
  | 'failWithdrawal';

const nothing = () => null;
const idOrNull = (id: Id | undefined): string | null => (id === undefined ? null : idText(id));

const actText = ({
  id,
  time,
  operator,
  act,
  orderId,
  uid,
  coin,
  detail,
  sequence,
}: OperatorActRow) => ({
  id: idText(id),
  time: String(time),
  operator,
  act,
  orderId: idOrNull(orderId),
  uid: uid === undefined ? null : String(uid),
  coin: coin ?? null,
  detail: detail ?? null,
  sequence: sequence as number,
});

const deciding = ({ submit, views, chain }: HandlerParts): Pick<DeskHandlers, DecisionName> => {
  /** The status after the decision. */
  const statusOf = async (orderId: Id) => {
    const [record] = await withdrawalsOf(views, { orderId, limit: 1 });
    if (record === undefined) return refuse(wireRejection('unknownWithdrawal', 'orderId'));
    return ok({
      orderId: idText(orderId),
      status: wireWord(withdrawalStatusWords, record.status),
      waitingFor: waitingText(record),
    });
  };
  /** Settles the chain before the decision, so that it uses current facts, and after it. */
  const decide =
    (decision: WithdrawalDecision) =>
    async (
      input: Omit<CommandOf<'decideWithdrawal'>, 'type' | 'decision'>,
    ): ReturnType<typeof statusOf> => {
      await chain.settle();
      const outcome = await submit({ type: 'decideWithdrawal', ...input, decision });
      if (!outcome.ok) return refuse(await refusalOfNamed(views, outcome.refusal, input));
      await chain.settle();
      return statusOf(input.orderId);
    };
  return {
    approveWithdrawal: decide('approve'),
    rejectWithdrawal: decide('reject'),
    confirmWithdrawal: decide('confirm'),
    failWithdrawal: decide('fail'),
  };
};

export function operatorWithdrawalHandlers(parts: HandlerParts): DeskHandlers {
  const { submit, views, chain } = parts;
  const { listings, withdrawals, history } = views;
  return {
    ...deciding(parts),

    listWithdrawals: async (query) =>
      ok((await withdrawalsOf(views, query)).map((record) => deskText(listings, record))),

    switchWithdrawals: async ({ coin, state: on, operator }) => {
      const reply = await submitAndShow(
        submit,
        { type: 'switchWithdrawals', coin, on, operator },
        nothing,
      );
      if (reply.ok && on) chain.nudge();
      return reply;
    },

    listReserves: () =>
      ok(
        listings.coins().map(({ coin }) => {
          const reserve = withdrawals.reserves().get(coin);
          const state = withdrawals.isHalted(coin) ? ('off' as const) : ('on' as const);
          return {
            coin,
            reserve: reserve === undefined ? null : moneyText(reserve),
            withdrawals: state,
          };
        }),
      ),

    setReserve: ({ coin, amount, operator }) =>
      submitAndShow(
        submit,
        { type: 'setReserve', coin, operator, ...(amount === null ? {} : { amount }) },
        nothing,
      ),

    listOperatorActs: async ({ operator, ...query }) => {
      // Names are stored in lower case, because they are compared so.
      const stored = operator === undefined ? undefined : smallLetters(operator.trim());
      const rows = await history.operatorActs({ ...query, operator: stored });
      return ok(rows.map(actText));
    },

    planChainFaults: ({ fault, count }) => chain.plan(fault, count),
  };
}
