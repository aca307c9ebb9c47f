/**
 * Sends withdrawals to their chains and reports the results. The intent to broadcast is durable in
 * the journal before the broadcast. After a crash, an order that may have been broadcast is
 * inquired about and never broadcast again.
 */

import { wireRejection } from '../../contract/wire-rejections.ts';
import { chainOf } from '../../core/withdrawals/listed-chains.ts';
import type { ChainControls } from '../../gateway/handlers/parts.ts';
import type { Log } from '../../gateway/log.ts';
import type { Submit } from '../../gateway/submit.ts';
import type { Id } from '../../kernel/ids.ts';
import { refuse } from '../../kernel/result.ts';
import { SECOND, type Timestamp } from '../../kernel/time.ts';
import type { ListingQueries } from '../../views/listings.ts';
import type { WithdrawalRecord } from '../../views/records.ts';
import type { WithdrawalQueries } from '../../views/withdrawals.ts';
import type { ChainConnector, ChainReport, Transfer } from './chain-connector.ts';

/** Exchange time to wait for a reply before inquiring about the order. */
const REPLY_MS_MAX = 10 * SECOND;
/** Orders in one round: well below the journal's batch limit. */
const CARRIED_MAX = 500;
/** Every round sequence ends; this bound stops one with a bug. */
const ROUNDS_MAX = 1_000;

export interface WithdrawalSenderParts {
  readonly connector: ChainConnector;
  readonly submit: Submit;
  readonly withdrawals: WithdrawalQueries;
  readonly listings: ListingQueries;
  readonly now: () => Timestamp;
  readonly log: Log;
  readonly plan?: ChainControls['plan'];
}

export class WithdrawalSender implements ChainControls {
  readonly #parts: WithdrawalSenderParts;
  /** Orders broadcast by this run: their replies may still arrive. */
  readonly #askedHere = new Set<Id>();
  #reports: Promise<boolean>[] = [];
  #tail: Promise<void> = Promise.resolve();
  #isWaiting = false;
  #isStopped = false;
  /** The error of the last round. */
  #trouble: string | undefined;

  constructor(parts: WithdrawalSenderParts) {
    this.#parts = parts;
    parts.connector.onReport((report) => {
      const { log } = this.#parts;
      const reported = this.#submitReport(report).catch((error: unknown) => {
        log.error(
          { err: error, orderId: report.orderId },
          'a report of a chain could not be processed',
        );
        return false;
      });
      this.#reports.push(reported);
    });
  }

  plan: ChainControls['plan'] = (fault, count) =>
    this.#parts.plan?.(fault, count) ?? refuse(wireRejection('notOffered'));

  nudge(): void {
    if (!this.#isWaiting) void this.settle();
  }

  /** Rounds run one after the other; calls during a round share the next one. */
  settle(): Promise<void> {
    this.#isWaiting = true;
    this.#tail = this.#tail.then(async () => {
      this.#isWaiting = false;
      try {
        for (let round = 0; round < ROUNDS_MAX && (await this.#carry()); round++);
        this.#trouble = undefined;
      } catch (error) {
        // Retried several times per second: an error that lasts is logged once.
        if (String(error) !== this.#trouble)
          this.#parts.log.error({ err: error }, 'withdrawals could not be sent');
        this.#trouble = String(error);
      }
    });
    return this.#tail;
  }

  /** Sends nothing more. Results of sent orders are still reported. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#tail;
  }

  /** Runs one round. Resolves to true if anything changed. */
  async #carry(): Promise<boolean> {
    if (this.#isStopped) return false;
    const { withdrawals } = this.#parts;
    const released = withdrawals
      .inStage('released')
      .filter(({ row }) => !withdrawals.isHalted(row.coin));
    const ready = released.flatMap((record) => this.#transferOf(record) ?? []);
    const sent = await Promise.all(
      ready.slice(0, CARRIED_MAX).map((transfer) => this.#send(transfer)),
    );
    const changed = await this.#taken();
    const inquired = await this.#inquire([
      ...withdrawals.inStage('asked').filter((record) => this.#isOverdue(record)),
      ...withdrawals.inStage('confirming'),
    ]);
    for (const orderId of this.#askedHere)
      if (withdrawals.find(orderId)?.progress.stage !== 'asked') this.#askedHere.delete(orderId);
    return sent.some(Boolean) || changed || inquired;
  }

  #isOverdue({ row, progress }: WithdrawalRecord): boolean {
    if (!this.#askedHere.has(row.orderId)) return true;
    return this.#parts.now() - (progress.askedAt ?? 0) >= REPLY_MS_MAX;
  }

  /** The journal first, then the chain: broadcasts only if the intent was accepted. */
  async #send(transfer: Transfer): Promise<boolean> {
    const { submit, connector } = this.#parts;
    const { orderId } = transfer;
    if (this.#isStopped) return false;
    this.#askedHere.add(orderId);
    const outcome = await submit({ type: 'askChain', orderId });
    if (outcome.ok) connector.broadcast(transfer);
    return outcome.ok;
  }

  /** Nothing is sent to a closed chain; the withdrawal waits until it is open again (WDR-35). */
  #transferOf({ row }: WithdrawalRecord): Transfer | undefined {
    const { orderId, coin, chain, toAddress: address, tag, sent: amount } = row;
    const listed = chainOf(this.#parts.listings.coin(coin), chain);
    if (listed?.withdrawOpen !== true) return undefined;
    return { orderId, coin, chain, addressKind: listed.addressKind, address, tag, amount };
  }

  async #inquire(records: readonly WithdrawalRecord[]): Promise<boolean> {
    let changed = false;
    for (let at = 0; at < records.length; at += CARRIED_MAX) {
      for (const { row } of records.slice(at, at + CARRIED_MAX))
        this.#parts.connector.inquire(row.orderId);
      changed = (await this.#taken()) || changed;
    }
    return changed;
  }

  /** Processes the reports so far; resolves to true if one of them was new. */
  async #taken(): Promise<boolean> {
    const reports = this.#reports;
    this.#reports = [];
    return (await Promise.all(reports)).some(Boolean);
  }

  /**
   * Known facts are not submitted again, because they would fill the journal. The core refuses the
   * rest.
   */
  async #submitReport(report: ChainReport): Promise<boolean> {
    const { submit, withdrawals, log } = this.#parts;
    const { orderId, sighting } = report;
    const known = withdrawals.find(orderId);
    // Blocks continue after the last confirmation that a withdrawal needs, so the count stops there
    // (WDR-14).
    const counted = report.sighting === 'confirmed' ? report.confirmations : 0;
    const confirmations = Math.min(counted, known?.row.confirmationsNeeded ?? counted);
    if (
      known?.progress.stage === 'confirming' &&
      (sighting === 'sent' || sighting === 'confirmed')
    ) {
      if (confirmations <= known.progress.confirmations) return false;
    }
    const hash =
      report.sighting === 'sent' || report.sighting === 'confirmed' ? report.hash : undefined;
    // If no confirmations are needed, a transfer that is in a block already is reported as sent.
    const reportedSighting = sighting === 'confirmed' && confirmations === 0 ? 'sent' : sighting;
    const outcome = await submit({
      type: 'reportChain',
      orderId,
      sighting: reportedSighting,
      hash,
      confirmations,
    });
    // Money may have left for an order that was failed by hand: a person must look.
    if (!outcome.ok && known === undefined && hash !== undefined)
      log.error({ orderId, hash }, 'the chain reports an order that has ended');
    return outcome.ok;
  }
}
