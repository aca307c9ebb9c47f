/** Makes a user an agent with a referral code, or changes the settings of an agent. */
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { Uid } from '../../kernel/ids.ts';
import { moneyFromText, ONE_RATE, type Rate } from '../../kernel/money.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { Rejection } from '../../messages/rejections.ts';
import { accept, type Handler, reject } from '../transaction/step.ts';

/** The settings of all agents are copied once a day, which takes far below a millisecond. */
export const AGENTS_MAX = 10_000;

/** Short and unique: the uid in base 36. */
export const codeOf = (uid: Uid): string => uid.toString(36).toUpperCase();

function partOf(
  text: DecimalText,
  field: 'spotRatio' | 'futuresRatio' | 'userShare',
): Result<Rate, Rejection> {
  const rate = moneyFromText<Rate>(text);
  if (rate === undefined) return reject('tooFine', field);
  return rate > ONE_RATE ? reject('fieldOutOfRange', field, '0 to 1') : ok(rate);
}

export const makeAgent: Handler<'makeAgent'> = (step, command) => {
  const { agents, referralCodes } = step.state.agentBooks;
  const { uid, affiliation } = command;
  if (!step.state.accounts.has(uid)) return reject('unknownUser', 'uid', `${uid}`);
  const spotRatio = partOf(command.spotRatio, 'spotRatio');
  if (!spotRatio.ok) return spotRatio;
  const futuresRatio = partOf(command.futuresRatio, 'futuresRatio');
  if (!futuresRatio.ok) return futuresRatio;
  const userShare = partOf(command.userShare ?? ('0' as DecimalText), 'userShare');
  if (!userShare.ok) return userShare;
  if (!agents.has(uid) && agents.size >= AGENTS_MAX) return reject('exchangeFull');

  const referralCode = codeOf(uid);
  const agent = {
    uid,
    referralCode,
    affiliation,
    spotRatio: spotRatio.value,
    futuresRatio: futuresRatio.value,
    userShare: userShare.value,
  };
  agents.set(uid, agent);
  referralCodes.set(referralCode, uid);
  step.emit({ type: 'agentMade', agent });
  return accept({ referralCode });
};
