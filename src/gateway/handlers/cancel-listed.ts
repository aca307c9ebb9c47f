/** Cancels a list of orders of one market (v2), with a result for each order. */
import type { Language } from '../../contract/dialects.ts';
import type { ListedItem } from '../../contract/listed-items.ts';
import type { ClientOid, Uid } from '../../kernel/ids.ts';
import { ok } from '../../kernel/result.ts';
import type { OrderMarket } from '../../messages/order-commands.ts';
import type { CallSubmit } from './call-submit.ts';
import { namedText, nameOfInput, parted } from './order-answers.ts';
import { submitReadable } from './submit-readable.ts';

type NameInput = ListedItem<{
  readonly orderId: string | undefined;
  readonly clientOid: ClientOid | undefined;
}>;

export async function cancelListed(
  submit: CallSubmit,
  { uid, language }: { readonly uid: Uid; readonly language: Language },
  market: OrderMarket,
  items: readonly NameInput[],
) {
  const names = items.map(({ input }) => (input.ok ? ok(nameOfInput(input.value)) : input));
  const cancelled = await submitReadable(names, (orders) =>
    submit({ type: 'cancelOrders', uid, orders, market }),
  );
  return cancelled.ok ? ok(parted(cancelled.value, items, language, namedText)) : cancelled;
}
