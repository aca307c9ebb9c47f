/**
 * What stands between the exchange and a chain. A connector may lose a request, lose its reply,
 * repeat it or be late: nothing here relies on it.
 */
import type { Id } from '../../kernel/ids.ts';
import type { Amount } from '../../kernel/money.ts';
import type { AddressKind } from '../../messages/vocabulary.ts';

/** Money to be sent. */
export interface Transfer {
  readonly orderId: Id;
  readonly coin: string;
  readonly chain: string;
  readonly addressKind: AddressKind;
  readonly address: string;
  readonly tag: string;
  readonly amount: Amount;
}

/**
 * What a connector knows of an order. `refused` and `never` are promises: it has not been sent and
 * will not be.
 */
export type ChainReport =
  | { readonly sighting: 'sent'; readonly orderId: Id; readonly hash: string }
  | {
      readonly sighting: 'confirmed';
      readonly orderId: Id;
      readonly hash: string;
      readonly confirmations: number;
    }
  | { readonly sighting: 'failed' | 'refused' | 'never'; readonly orderId: Id };

/** Whatever it has to tell comes as a report: at once, later, more than once, or not at all. */
export interface ChainConnector {
  /** Asked once for each order, never again. */
  broadcast(transfer: Transfer): void;
  /**
   * What became of an order that may have been asked for. One it never heard of is barred from then
   * on: a late request is refused.
   */
  inquire(orderId: Id): void;
  onReport(listener: (report: ChainReport) => void): void;
}
