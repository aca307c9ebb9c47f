/** A change of an open order, as it is asked for. */
import { flag, oneOf, optional, record, text, whole } from '../kernel/codec.ts';
import type { DecimalText } from '../kernel/decimal-text.ts';
import type { ClientOid, Id, Uid } from '../kernel/ids.ts';
import { attachedDraftCodec } from './triggers.ts';
import { CATEGORIES } from './vocabulary.ts';

export const orderChangeFields = {
  uid: whole<Uid>(),
  orderId: optional(whole<Id>()),
  clientOid: optional(text<ClientOid>()),
  /** Where it is looked for: an order of another market is no order there. */
  category: optional(oneOf(CATEGORIES)),
  symbol: optional(text()),
  marginCoin: optional(text()),
  /** What is left out stays. The size is all of it, what is filled included; of a new order that takes its place, the size of that. */
  price: optional(text<DecimalText>()),
  size: optional(text<DecimalText>()),
  /** A new order takes its place, under an id of its own and this name. */
  replace: flag,
  newClientOid: optional(text<ClientOid>()),
  /** An order that cannot be changed is cancelled. */
  autoCancel: flag,
  /** What it leaves its position with from now on; left out, what it came with. */
  exits: optional(record({ takeProfit: optional(attachedDraftCodec), stopLoss: optional(attachedDraftCodec) })),
};
