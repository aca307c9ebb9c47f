/**
 * Carries withdrawals to their chains and brings back what becomes of them. That a chain is about
 * to be asked is in the journal, durable, before it is asked; so whatever ends in between, an order
 * that may have been asked for is never asked for again but inquired after.
 */
import { chainOf } from '../../core/withdrawals/listed-chains.ts';
import type { ChainControls } from '../../gateway/handlers/parts.ts';
import type { Log } from '../../gateway/log.ts';
import type { Submit } from '../../gateway/submit.ts';
import type { Id } from '../../kernel/ids.ts';
import { refuse } from '../../kernel/result.ts';
import { SECOND, type Timestamp } from '../../kernel/time.ts';
import { rejection } from '../../messages/rejections.ts';
import type { ListingQueries } from '../../views/listings.ts';
import type { WithdrawalRecord } from '../../views/records.ts';
import type { WithdrawalQueries } from '../../views/withdrawals.ts';
import type { ChainConnector, ChainReport, Transfer } from './chain-connector.ts';

/**
 * How long a reply is waited for, in exchange time, before the connector is asked what became of
 * the order.
 */
const REPLY_MS_MAX = 10 * SECOND;
/** Orders carried at once: well below what the journal takes in one go. */
const CARRIED_MAX = 500;
/** Something always comes to rest; this only stops what would not. */
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
  /** Orders this life of the program has asked for: their replies may still be on the way. */
  readonly #askedHere = new Set<Id>();
  #reports: Promise<boolean>[] = [];
  #tail: Promise<void> = Promise.resolve();
  #isWaiting = false;
  #isStopped = false;
  /** What went wrong with the last round. */
  #trouble: string | undefined;

  constructor(parts: WithdrawalSenderParts) {
    this.#parts = parts;
    parts.connector.onReport((report) => {
      const { log } = this.#parts;
      const emitted = this.#tell(report).catch((error: unknown) => {
        log.error(
          { err: error, orderId: report.orderId },
          'a report of a chain could not be taken in',
        );
        return false;
      });
      this.#reports.push(emitted);
    });
  }

  plan: ChainControls['plan'] = (fault, count) =>
    this.#parts.plan?.(fault, count) ?? refuse(rejection('notOffered'));

  nudge(): void {
    if (!this.#isWaiting) void this.settle();
  }

  /** One after the other: rounds that are asked for while one waits share it. */
  settle(): Promise<void> {
    this.#isWaiting = true;
    this.#tail = this.#tail.then(async () => {
      this.#isWaiting = false;
      try {
        for (let round = 0; round < ROUNDS_MAX && (await this.#carry()); round++);
        this.#trouble = undefined;
      } catch (error) {
        // It is tried some times a second: what goes on is told once.
        if (String(error) !== this.#trouble)
          this.#parts.log.error({ err: error }, 'withdrawals could not be carried');
        this.#trouble = String(error);
      }
    });
    return this.#tail;
  }

  /** Asks nothing more of any chain; what was asked is told. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#tail;
  }

  /** One round. Answers whether anything has changed by it. */
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

  /** The journal first, then the chain: only the one whose intent was accepted asks. */
  async #send(transfer: Transfer): Promise<boolean> {
    const { submit, connector } = this.#parts;
    const { orderId } = transfer;
    if (this.#isStopped) return false;
    this.#askedHere.add(orderId);
    const outcome = await submit({ type: 'askChain', orderId });
    if (outcome.ok) connector.broadcast(transfer);
    return outcome.ok;
  }

  /** Nothing goes to a chain that is closed; it waits until that is open again (WDR-35). */
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

  /** Waits for the reports so far; answers whether one of them told something new. */
  async #taken(): Promise<boolean> {
    const reports = this.#reports;
    this.#reports = [];
    return (await Promise.all(reports)).some(Boolean);
  }

  /**
   * What is known already is not told again: the journal would fill with it. What slips through,
   * the core refuses.
   */
  async #tell(report: ChainReport): Promise<boolean> {
    const { submit, withdrawals, log } = this.#parts;
    const { orderId, sighting } = report;
    const known = withdrawals.find(orderId);
    // Blocks go on coming; what a withdrawal needs is as far as they are counted (WDR-14).
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
    // Where none are needed, one that lies in the chain already is told as sent: there is nothing
    // to count.
    const emitted = sighting === 'confirmed' && confirmations === 0 ? 'sent' : sighting;
    const outcome = await submit({
      type: 'reportChain',
      orderId,
      sighting: emitted,
      hash,
      confirmations,
    });
    // Money may have left for an order that was given up by hand: somebody must look.
    if (!outcome.ok && known === undefined && hash !== undefined)
      log.error({ orderId, hash }, 'a chain tells of an order that has ended');
    return outcome.ok;
  }
}
