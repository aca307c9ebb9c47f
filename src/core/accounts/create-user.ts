/** Creates a user with a unified account, either a master or a sub-account. */
import { higherLevel } from '../../formulas/levels.ts';
import { given } from '../../kernel/given.ts';
import type { Uid } from '../../kernel/ids.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { CommandOf } from '../../messages/commands.ts';
import type { UserProfile } from '../../messages/events.ts';
import type { Rejection } from '../../messages/rejections.ts';
import type { State } from '../state/state.ts';
import { accept, type Handler, reject } from '../transaction/step.ts';
import {
  emailContact,
  mobileContact,
  normalAreaCode,
  normalEmail,
  normalMobile,
} from './contacts.ts';

/** One million accounts with their wallets fit into four gigabytes. */
const USERS_MAX = 1_000_000;

/** No control characters and no lone surrogates. */
const NAME = /^[^\p{Cc}\p{Cs}]{1,64}$/u;
const REFERRAL_CODE = /^[A-Za-z0-9_-]{1,32}$/;

type ContactFields = Pick<UserProfile, 'email' | 'areaCode' | 'mobile'>;

function readContacts({
  email,
  areaCode,
  mobile,
}: CommandOf<'createUser'>): Result<ContactFields, Rejection> {
  const fields = given({
    email: email === undefined ? undefined : normalEmail(email),
    areaCode: areaCode === undefined ? undefined : normalAreaCode(areaCode),
    mobile: mobile === undefined ? undefined : normalMobile(mobile),
  });
  if (email !== undefined && fields.email === undefined) return reject('fieldInvalid', 'email');
  if (areaCode !== undefined && fields.areaCode === undefined)
    return reject('fieldInvalid', 'areaCode');
  if (mobile !== undefined && fields.mobile === undefined) return reject('fieldInvalid', 'mobile');
  if (areaCode === undefined && mobile !== undefined) return reject('fieldMissing', 'areaCode');
  if (areaCode !== undefined && mobile === undefined) return reject('fieldMissing', 'mobile');
  return ok(fields);
}

/** The contacts of a profile, each with the field it comes from. */
export const contactsOf = ({
  email,
  areaCode,
  mobile,
}: ContactFields): readonly { readonly field: 'email' | 'mobile'; readonly contact: string }[] => [
  ...(email === undefined ? [] : [{ field: 'email' as const, contact: emailContact(email) }]),
  ...(areaCode === undefined || mobile === undefined
    ? []
    : [{ field: 'mobile' as const, contact: mobileContact(areaCode, mobile) }]),
];

function parentRefusal(
  state: State,
  parentUid: Uid | undefined,
): ReturnType<typeof reject> | undefined {
  if (parentUid === undefined) return undefined;
  const parent = state.accounts.get(parentUid);
  if (parent === undefined) return reject('unknownUser', 'parentUid', `${parentUid}`);
  return parent.profile.parentUid === undefined
    ? undefined
    : reject('fieldInvalid', 'parentUid', 'a sub-account has no sub-accounts');
}

export const createUser: Handler<'createUser'> = (step, command) => {
  const { state, at } = step;
  const { name, level, referralCode, positionMode, parentUid } = command;
  if (name !== undefined && !NAME.test(name)) return reject('fieldInvalid', 'name');
  if (referralCode !== undefined && !REFERRAL_CODE.test(referralCode))
    return reject('fieldInvalid', 'referralCode');
  const fields = readContacts(command);
  if (!fields.ok) return fields;
  const contacts = contactsOf(fields.value);
  const taken = contacts.find(({ contact }) => state.contacts.has(contact));
  if (taken !== undefined) return reject('duplicateContact', taken.field);
  const refused = parentRefusal(state, parentUid);
  if (refused !== undefined) return refused;
  if (referralCode !== undefined && !state.agentBooks.referralCodes.has(referralCode))
    return reject('unknownReferralCode', 'referralCode', referralCode);
  if (state.accounts.size >= USERS_MAX) return reject('exchangeFull');

  const uid = state.nextUid;
  state.nextUid = (uid + 1) as Uid;
  const shared =
    parentUid === undefined
      ? level
      : higherLevel(level, state.accounts.get(parentUid)!.profile.level);
  const profile: UserProfile = {
    uid,
    level: shared,
    ...fields.value,
    ...given({ name, referralCode, parentUid }),
  };
  for (const { contact } of contacts) state.contacts.set(contact, uid);
  state.accounts.set(uid, {
    profile,
    grantedLevel: level,
    positionMode,
    selfTradeMode: 'none',
    symbolSettings: new Map(),
    coinLeverages: new Map(),
    createdAt: at,
    openOrders: [],
    openFutures: 0,
    ordersToday: { day: 0 as Timestamp, count: 0 },
    triggers: new Map(),
  });
  step.emit({ type: 'userCreated', user: profile, positionMode });
  return accept({ uid });
};
