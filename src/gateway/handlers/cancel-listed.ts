/** Cancels a list of orders of one market (v2): each answers for itself. */
import type { Language } from '../../contract/errors.ts';
import type { ListedItem } from '../../contract/fields.ts';
import type { ClientOid, Uid } from '../../kernel/ids.ts';
import { ok, type Result, refuse } from '../../kernel/result.ts';
import { type Rejection, rejection } from '../../messages/rejections.ts';
import type { Reply } from './handler.ts';
import { type NamedOrder, namedText, nameOfSaid, parted } from './order-answers.ts';
import { isElsewhere, type Market, type OrderName } from './order-lists.ts';
import type { HandlerParts } from './parts.ts';

type SaidName = ListedItem<{ readonly orderId: string | undefined; readonly clientOid: ClientOid | undefined }>;

/** What cannot be read, and what is in another market, answers in its place; the others go to the exchange together. */
export async function cancelListed(
  { submit, views }: Pick<HandlerParts, 'submit' | 'views'>,
  { uid, language }: { readonly uid: Uid; readonly language: Language },
  market: Market,
  items: readonly SaidName[],
) {
  const inMarket = (name: OrderName): Reply<OrderName> =>
    isElsewhere(views, uid, name, market) ? refuse(rejection('unknownOrder')) : ok(name);
  const meant = items.map(({ said }) => (said.ok ? inMarket(nameOfSaid(said.value)) : said));
  const orders = meant.flatMap((each) => (each.ok ? [each.value] : []));
  const cancelled: Reply<readonly Result<NamedOrder, Rejection>[]> =
    orders.length === 0 ? ok([]) : await submit({ type: 'cancelOrders', uid, orders });
  if (!cancelled.ok) return cancelled;
  const fared = cancelled.value.values();
  const results = items.map(({ said, clientOid }, at) => {
    const each = meant[at]!;
    return { fared: each.ok ? fared.next().value! : each, name: said.ok ? said.value : { clientOid } };
  });
  return ok(parted(results, language, namedText));
}
