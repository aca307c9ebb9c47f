/**
 * The interface between the exchange and a chain. A connector may lose a request or its reply,
 * repeat it, or be late. The exchange does not rely on its absence of faults.
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
 * What a connector knows of an order. `refused` and `never` are promises: it was not sent and will
 * not be.
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

/** All results come as reports: at once, later, more than once, or not at all. */
export interface ChainConnector {
  /** Called once for each order, never again. */
  broadcast(transfer: Transfer): void;
  /**
   * Asks for the state of an order that may have been broadcast. An unknown order is barred from
   * then on: a late broadcast is refused.
   */
  inquire(orderId: Id): void;
  onReport(listener: (report: ChainReport) => void): void;
}
