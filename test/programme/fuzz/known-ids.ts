/**
 * Ids that answers have told, by whom they were told to: real ids lead deeper than invented ones.
 */

const ID = /"\w*(?:[iI]d|trackingNo)":"(1\d{18})"/g;
/** The newest of each caller; older ones have mostly ended. */
const IDS_KEPT_MAX = 60;
const ANONYMOUS_ID = '1000000000000000042';

export class KnownIds {
  readonly #byCaller = new Map<string, string[]>();

  /** Those of one caller, or of all. */
  of(caller: string | undefined): readonly string[] {
    const ids =
      caller === undefined
        ? [...this.#byCaller.values()].flat()
        : (this.#byCaller.get(caller) ?? []);
    return ids.length === 0 ? [ANONYMOUS_ID] : ids;
  }

  /**
   * What the request named itself may be somebody else's: a list of cancels says each id back,
   * whosever it is.
   */
  learn(caller: string | undefined, body: string, request: Buffer): void {
    if (caller === undefined) return;
    const ids = this.#byCaller.get(caller) ?? [];
    for (const [, id] of body.matchAll(ID))
      if (!ids.includes(id!) && !request.includes(id!)) ids.push(id!);
    this.#byCaller.set(caller, ids.slice(-IDS_KEPT_MAX));
  }
}
