/**
 * Records intents: what a client requested while a fault was active, with all attempts and effects.
 */
import type { Uid } from '../../kernel/ids.ts';
import { MINUTE, type Timestamp } from '../../kernel/time.ts';
import type { AskedItem, Made, Outcome } from './call-content.ts';

/** The same order under a new name within this time is the same intent (FLT-21). */
const SAME_INTENT_MS = MINUTE;
/** Limit of intents; beyond it the oldest are forgotten. A rehearsal needs a handful. */
export const INTENTS_MAX = 10_000;
/** Limit of names and of effects stored for an intent. Two effects already mean `twice`. */
export const ATTEMPTS_KEPT_MAX = 1_000;

export class Intent {
  readonly uid: Uid;
  /** Name of the endpoint row. */
  readonly name: string;
  readonly content: string;
  readonly at: Timestamp;
  readonly clientOids: Set<string>;
  readonly faults = new Set<string>();
  lastAt: Timestamp;
  attempts = 0;
  /** Orders of the intent that an answer showed to the owner while they were open. */
  readonly seen = new Set<string>();
  /** Effects by created object, so that a repeated answer does not count twice. */
  readonly #effects = new Map<string, readonly Made[]>();

  constructor(uid: Uid, name: string, { clientOid, content }: AskedItem, at: Timestamp) {
    this.uid = uid;
    this.name = name;
    this.content = content;
    this.at = at;
    this.lastAt = at;
    this.clientOids = new Set(clientOid === '' ? [] : [clientOid]);
  }

  get clientOid(): string {
    const [first] = this.clientOids;
    return (
      first ??
      [...this.#effects.values()].flat().find(({ clientOid }) => clientOid !== '')?.clientOid ??
      ''
    );
  }

  get effects(): readonly (readonly Made[])[] {
    return [...this.#effects.values()];
  }

  note({ made, happened }: Outcome): void {
    if (!happened || this.#effects.size >= ATTEMPTS_KEPT_MAX) return;
    // Without an id, each execution counts as one effect, because attempts may end in any order.
    const key =
      made.length === 0
        ? `time ${this.#effects.size}`
        : made.map(({ id, clientOid }) => id ?? clientOid).join(' ');
    this.#effects.set(key, made);
  }
}

const keyOf = (uid: Uid, name: string, input: string): string => `${uid} ${name} ${input}`;

export class Intents {
  readonly #all = new Set<Intent>();
  readonly #byClientOid = new Map<string, Intent>();
  readonly #byContent = new Map<string, Intent[]>();
  readonly #byOrder = new Map<string, Intent>();

  get size(): number {
    return this.#all.size;
  }

  all(): readonly Intent[] {
    return [...this.#all];
  }

  clear(): void {
    this.#all.clear();
    this.#byClientOid.clear();
    this.#byContent.clear();
    this.#byOrder.clear();
  }

  /** The intent that created an order. */
  ofOrder(id: string): Intent | undefined {
    return this.#byOrder.get(id);
  }

  note(intent: Intent, outcome: Outcome): void {
    intent.note(outcome);
    if (intent.effects.length >= ATTEMPTS_KEPT_MAX) return;
    for (const { id } of outcome.made) if (id !== null) this.#byOrder.set(id, intent);
  }

  /**
   * The intent behind each item of a call; undefined unless this call or an earlier attempt was
   * affected by a fault.
   */
  attempt(
    call: {
      readonly uid: Uid;
      readonly name: string;
      readonly at: Timestamp;
      readonly faults: readonly string[];
    },
    items: readonly AskedItem[],
  ): readonly (Intent | undefined)[] {
    const taken = new Set<Intent>();
    return items.map((item) => {
      const intent =
        this.#find(call.uid, call.name, item, call.at, taken) ??
        (call.faults.length > 0 ? this.#begin(call, item) : undefined);
      if (intent === undefined) return undefined;
      taken.add(intent);
      intent.attempts++;
      intent.lastAt = call.at;
      for (const fault of call.faults) intent.faults.add(fault);
      if (item.clientOid !== '' && intent.clientOids.size < ATTEMPTS_KEPT_MAX) {
        intent.clientOids.add(item.clientOid);
        this.#byClientOid.set(keyOf(call.uid, call.name, item.clientOid), intent);
      }
      return intent;
    });
  }

  /** Two equal orders in one call are two intents, so a taken intent is not taken again. */
  #find(
    uid: Uid,
    name: string,
    { clientOid, content }: AskedItem,
    at: Timestamp,
    taken: ReadonlySet<Intent>,
  ): Intent | undefined {
    const named = clientOid === '' ? undefined : this.#byClientOid.get(keyOf(uid, name, clientOid));
    if (named !== undefined) return named;
    const candidates = this.#byContent.get(keyOf(uid, name, content)) ?? [];
    return candidates.find((intent) => !taken.has(intent) && at - intent.lastAt <= SAME_INTENT_MS);
  }

  #begin(
    { uid, name, at }: { readonly uid: Uid; readonly name: string; readonly at: Timestamp },
    item: AskedItem,
  ): Intent {
    const intent = new Intent(uid, name, item, at);
    this.#all.add(intent);
    const key = keyOf(uid, name, item.content);
    this.#byContent.set(key, [...(this.#byContent.get(key) ?? []), intent]);
    if (this.#all.size > INTENTS_MAX) this.#forgetOldest();
    return intent;
  }

  #forgetOldest(): void {
    const [oldest] = this.#all;
    if (oldest === undefined) return;
    this.#all.delete(oldest);
    for (const clientOid of oldest.clientOids)
      this.#byClientOid.delete(keyOf(oldest.uid, oldest.name, clientOid));
    for (const { id } of oldest.effects.flat()) if (id !== null) this.#byOrder.delete(id);
    const key = keyOf(oldest.uid, oldest.name, oldest.content);
    const left = (this.#byContent.get(key) ?? []).filter((intent) => intent !== oldest);
    if (left.length === 0) this.#byContent.delete(key);
    else this.#byContent.set(key, left);
  }
}
