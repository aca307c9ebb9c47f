/**
 * Ids from answers, by the caller that received them. Real ids reach deeper code than invented
 * ones.
 */

const ID = /"\w*(?:[iI]d|trackingNo)":"(1\d{18})"/g;
/** Only the newest of each caller are kept; older ones have mostly ended. */
const IDS_KEPT_MAX = 60;
const ANONYMOUS_ID = '1000000000000000042';

export class KnownIds {
  readonly #byCaller = new Map<string, string[]>();

  /** The ids of one caller, or of all. */
  of(caller: string | undefined): readonly string[] {
    const ids =
      caller === undefined
        ? [...this.#byCaller.values()].flat()
        : (this.#byCaller.get(caller) ?? []);
    return ids.length === 0 ? [ANONYMOUS_ID] : ids;
  }

  /**
   * An id in the request may belong to another account. A list of cancels echoes each id, so echoed
   * ids are ignored.
   */
  learn(caller: string | undefined, body: string, request: Buffer): void {
    if (caller === undefined) return;
    const ids = this.#byCaller.get(caller) ?? [];
    for (const [, id] of body.matchAll(ID))
      if (!ids.includes(id!) && !request.includes(id!)) ids.push(id!);
    this.#byCaller.set(caller, ids.slice(-IDS_KEPT_MAX));
  }
}
