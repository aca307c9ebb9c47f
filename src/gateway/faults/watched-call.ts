/** Runs a call through the laboratory: delays, drops or falsifies it as its faults require. */
import type { EffectOf, StruckStatus } from '../../contract/fault-fields.ts';
import { wireRejection } from '../../contract/wire-rejections.ts';
import { refuse } from '../../kernel/result.ts';
import type { RejectionReason } from '../../messages/rejections.ts';
import type { Reply } from '../handlers/handler.ts';
import { type Fault, partOf } from './fault.ts';

/** How the call ends on its connection. */
export type Conclusion =
  | {
      readonly kind: 'reply';
      readonly reply: Reply<unknown>;
      readonly status?: StruckStatus;
      readonly bytesPerSecond: number | undefined;
    }
  | { readonly kind: 'cut' };

export type Execute = () => Reply<unknown> | Promise<Reply<unknown>>;

const UNKNOWN_RESULTS: Readonly<Record<EffectOf<'reply'>['code'], RejectionReason>> = {
  '40010': 'outcomeUnknown',
  '40725': 'serviceFailed',
  '45001': 'unknownError',
};

const STATUS_REASONS: Readonly<Record<StruckStatus, RejectionReason>> = {
  429: 'tooManyRequests',
  500: 'unknownError',
  502: 'serviceFailed',
  503: 'notServing',
};

/** Services of the laboratory for a call. */
export interface Surroundings {
  wait(ms: number): Promise<void>;
  later(ms: number, work: () => Promise<void>): void;
  /** Records the outcome of a call that ran. */
  carriedOut(reply: Reply<unknown>, hideMs: number | undefined): Promise<void>;
  /** The part of an answer that the client may see. */
  visible(reply: Reply<unknown>): Reply<unknown>;
  /** Records that the client got this answer. */
  shown(reply: Reply<unknown>): void;
}

export class WatchedCall {
  readonly #around: Surroundings;
  readonly #effects: ReadonlyMap<string, Fault['effect']>;

  constructor(around: Surroundings, strikes: readonly Fault[]) {
    this.#around = around;
    this.#effects = new Map(strikes.map(({ effect }) => [partOf(effect), effect]));
  }

  async carryOut(execute: Execute): Promise<Conclusion> {
    await this.#wait('before');
    const conclusion = await this.#end(execute);
    await this.#wait('after');
    return conclusion;
  }

  shown(reply: Reply<unknown>): void {
    this.#around.shown(reply);
  }

  async #wait(part: 'before' | 'after'): Promise<void> {
    const effect = this.#effects.get(part);
    if (effect?.kind === 'delay') await this.#around.wait(effect.ms);
  }

  async #end(execute: Execute): Promise<Conclusion> {
    const end = this.#effects.get('end');
    switch (end?.kind) {
      case 'cut':
        if (end.when === 'afterCommit') await this.#execute(execute);
        return { kind: 'cut' };
      case 'reply':
        if (end.order === 'placed') await this.#execute(execute);
        if (end.order === 'placedLater')
          this.#around.later(end.delayMs ?? 0, async () => void (await this.#execute(execute)));
        return this.#replyOf(refuse(wireRejection(UNKNOWN_RESULTS[end.code])));
      case 'status':
        if (end.order === 'placed') await this.#execute(execute);
        return {
          ...this.#replyOf(refuse(wireRejection(STATUS_REASONS[end.status]))),
          status: end.status,
        };
      default:
        return this.#replyOf(this.#around.visible(await this.#execute(execute)));
    }
  }

  async #execute(execute: Execute): Promise<Reply<unknown>> {
    const reply = await execute();
    const hide = this.#effects.get('hide');
    await this.#around.carriedOut(reply, hide?.kind === 'hide' ? hide.ms : undefined);
    return reply;
  }

  #replyOf(reply: Reply<unknown>): Conclusion & { readonly kind: 'reply' } {
    const drip = this.#effects.get('drip');
    return {
      kind: 'reply',
      reply,
      bytesPerSecond: drip?.kind === 'drip' ? drip.bytesPerSecond : undefined,
    };
  }
}
