/** Cancels a list of orders of one market (v2): each answers for itself. */
import type { Language } from '../../contract/dialects.ts';
import type { ListedItem } from '../../contract/fields.ts';
import type { ClientOid, Uid } from '../../kernel/ids.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { OrderMarket } from '../../messages/order-commands.ts';
import type { Rejection } from '../../messages/rejections.ts';
import type { Submit } from '../submit.ts';
import type { Reply } from './handler.ts';
import { type NamedOrder, namedText, nameOfSaid, parted } from './order-answers.ts';

type SaidName = ListedItem<{ readonly orderId: string | undefined; readonly clientOid: ClientOid | undefined }>;

/** What cannot be read answers in its place; the others go to the exchange together. */
export async function cancelListed(
  submit: Submit,
  { uid, language }: { readonly uid: Uid; readonly language: Language },
  market: OrderMarket,
  items: readonly SaidName[],
) {
  const orders = items.flatMap(({ said }) => (said.ok ? [nameOfSaid(said.value)] : []));
  const cancelled: Reply<readonly Result<NamedOrder, Rejection>[]> =
    orders.length === 0 ? ok([]) : await submit({ type: 'cancelOrders', uid, orders, market });
  if (!cancelled.ok) return cancelled;
  const fared = cancelled.value.values();
  const results = items.map(({ said, ...name }) => ({ fared: said.ok ? fared.next().value! : said, name }));
  return ok(parted(results, language, namedText));
}
