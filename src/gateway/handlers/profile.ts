/** The caller's profile and fee rates. */
import type { profileRows } from '../../contract/profile.ts';
import { wireRejection } from '../../contract/wire-rejections.ts';
import type { Uid } from '../../kernel/ids.ts';
import { moneyText } from '../../kernel/money.ts';
import { ok, refuse } from '../../kernel/result.ts';
import { type Category, FUTURES_CATEGORIES } from '../../messages/vocabulary.ts';
import type { Caller } from '../caller.ts';
import type { HandlersOf, Reply } from './handler.ts';
import { listedOf } from './market-figures.ts';
import type { HandlerParts } from './parts.ts';

const marketsOf: { readonly [Business in 'mix' | 'spot' | 'margin']: readonly Category[] } = {
  mix: FUTURES_CATEGORIES,
  spot: ['SPOT'],
  margin: ['MARGIN'],
};

const mayWrite = ({ permissions }: Caller): boolean =>
  [...permissions].some((permission) => permission.endsWith('.write'));

export function profileHandlers({ views }: HandlerParts): HandlersOf<typeof profileRows> {
  const ratesIn = (
    uid: Uid,
    categories: readonly Category[],
    symbol: string,
  ): Reply<{ makerFeeRate: string; takerFeeRate: string }> => {
    const category = categories.find(
      (each) => views.listings.instrument(each, symbol) !== undefined,
    );
    if (category === undefined) return refuse(wireRejection('unknownSymbol', 'symbol', symbol));
    const { maker, taker } = views.feeRates.of(uid, category);
    return ok({ makerFeeRate: moneyText(maker), takerFeeRate: moneyText(taker) });
  };

  const profileOf = ({ uid, addresses }: Caller) => {
    const profile = views.accounts.profile(uid);
    if (profile === undefined) return refuse(wireRejection('unknownUser'));
    return ok({
      userId: String(uid),
      inviterId: String(views.agents.customer(uid)?.agentUid ?? ''),
      parentId: profile.parentUid === undefined ? '' : String(profile.parentUid),
      channelCode: profile.referralCode ?? '',
      channel: '',
      ips: [...(addresses ?? [])].join(','),
      regisTime: String(views.accounts.createdAt(uid) ?? ''),
    });
  };

  return {
    getProfile: (_, caller) => {
      const profile = profileOf(caller);
      const permType = mayWrite(caller) ? ('read-and-write' as const) : ('read-only' as const);
      return profile.ok
        ? ok({ ...profile.value, permType, permissions: [...caller.permissions] })
        : profile;
    },

    getClassicProfile: (_, caller) => {
      const profile = profileOf(caller);
      const authorities = [mayWrite(caller) ? ('trade' as const) : ('readonly' as const)];
      const traderType =
        views.copyTrading.leader(caller.uid) === undefined
          ? ('not_trader' as const)
          : ('trader' as const);
      return profile.ok ? ok({ ...profile.value, authorities, traderType }) : profile;
    },

    getFeeRate: ({ category, symbol }, { uid }) => ratesIn(uid, [category], symbol),

    listFeeRates: ({ category, symbol }, { uid }) => {
      const listed = listedOf(views, category, symbol);
      if (!listed.ok) return listed;
      const { maker, taker } = views.feeRates.of(uid, category);
      const rates = { makerFeeRate: moneyText(maker), takerFeeRate: moneyText(taker) };
      return ok(listed.value.map(({ instrument }) => ({ symbol: instrument.symbol, ...rates })));
    },

    getTradeRate: ({ businessType, symbol }, { uid }) =>
      ratesIn(uid, marketsOf[businessType], symbol),
  };
}
