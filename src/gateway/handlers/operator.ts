/** Operator API: users, keys, deposits, the ledger, health. */
import type { operatorRows } from '../../contract/operator.ts';
import { wireRejection } from '../../contract/wire-rejections.ts';
import { given } from '../../kernel/given.ts';
import { idText, type Uid } from '../../kernel/ids.ts';
import { type Amount, moneyText, plus } from '../../kernel/money.ts';
import { ok, refuse } from '../../kernel/result.ts';
import type { UserProfile } from '../../messages/events.ts';
import { accountMargin } from '../../views/account-margins.ts';
import type { Balance } from '../../views/accounts.ts';
import type { LedgerRow } from '../../views/history/ledger-lines.ts';
import type { ViewQueries } from '../../views/views.ts';
import { newKey } from '../auth/credentials.ts';
import { phoneNumber } from '../phone-numbers.ts';
import { settingsOf } from './account.ts';
import { coinsOf, unrealisedIn } from './assets.ts';
import type { HandlersOf } from './handler.ts';
import { type HandlerParts, submitAndShow } from './parts.ts';

const balanceRow = (
  { coin, available, locked, margin, borrowed, interest, equity }: Balance,
  unrealised: Amount,
) => ({
  coin,
  available: moneyText(available),
  locked: moneyText(locked),
  margin: moneyText(margin),
  borrowed: moneyText(borrowed),
  interest: moneyText(interest),
  equity: moneyText(plus(equity, unrealised)),
});

/** Equity is that of the user's own assets, so it includes unrealised profit. */
function balanceRows(views: ViewQueries, uid: Uid) {
  const margin = accountMargin(views, uid);
  return coinsOf(views, uid, margin).map((coin) =>
    balanceRow(views.accounts.balance(uid, coin), unrealisedIn(margin.marked, coin)),
  );
}

const ledgerRow = (row: LedgerRow) => ({
  id: idText(row.id),
  time: String(row.time),
  uid: row.uid === undefined ? null : String(row.uid),
  coin: row.coin,
  account: row.account,
  amount: moneyText(row.amount),
  balance: moneyText(row.balance),
  reason: row.reason,
  sequence: row.sequence as number,
});

function userRow({ uid, name, level, parentUid }: UserProfile) {
  const parent = parentUid === undefined ? null : String(parentUid);
  return { uid: String(uid), name: name ?? null, level, parentUid: parent };
}

/** Normalizes a number, because lookups use the same form. */
const contact = (areaCode: string | undefined, mobile: string | undefined) =>
  areaCode === undefined || mobile === undefined
    ? given({ areaCode, mobile })
    : phoneNumber(areaCode, mobile);

export function operatorPeopleHandlers({
  submit,
  views,
  vault,
  randomBytes,
  controls,
}: HandlerParts): HandlersOf<typeof operatorRows> {
  return {
    getHealth: async () => ok(await controls.health()),

    createUser: ({ holdMode, areaCode, mobile, ...user }) =>
      submitAndShow(
        submit,
        { type: 'createUser', ...user, ...contact(areaCode, mobile), positionMode: holdMode },
        ({ uid }) => ({
          uid: String(uid),
        }),
      ),

    listUsers: (query) => ok(views.accounts.page(query).map(userRow)),

    getUser: ({ uid }) => {
      const profile = views.accounts.profile(uid);
      const settings = settingsOf(views, uid);
      if (profile === undefined || settings === undefined)
        return refuse(wireRejection('unknownUser', 'uid', String(uid)));
      const {
        name = null,
        email = null,
        areaCode = null,
        mobile = null,
        level,
        referralCode = null,
        parentUid,
      } = profile;
      return ok({
        uid: String(uid),
        name,
        email,
        areaCode,
        mobile,
        level,
        referralCode,
        parentUid: parentUid === undefined ? null : String(parentUid),
        settings,
        balances: balanceRows(views, uid),
      });
    },

    setUserSettings: ({ uid, stpMode }) =>
      submitAndShow(submit, { type: 'setSelfTradeMode', uid, selfTradeMode: stpMode }, () => null),

    createKey: async ({ uid, permissions, ips, publicKey }) => {
      const key = newKey({ uid, permissions, addresses: ips, publicKey }, vault, randomBytes);
      return key.ok ? submitAndShow(submit, key.value.command, () => key.value.shown) : key;
    },

    revokeKey: ({ apiKey }) => submitAndShow(submit, { type: 'revokeKey', apiKey }, () => null),

    deposit: (deposit) =>
      submitAndShow(submit, { type: 'deposit', ...deposit }, ({ orderId }) => ({
        orderId: idText(orderId),
      })),

    listLedger: async (query) => ok((await views.history.ledgerLines(query)).map(ledgerRow)),

    audit: async () => ok(await controls.audit()),

    takeSnapshot: () => controls.snapshot(),

    reset: async () => {
      const begun = await controls.reset();
      return begun.ok ? ok(null) : begun;
    },
  };
}
