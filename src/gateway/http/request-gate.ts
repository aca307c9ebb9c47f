/**
 * Checks requests before their endpoint: finds the caller's address, refuses invalid requests, and
 * limits failed authentications.
 */
import type { Language } from '../../contract/dialects.ts';
import { wireError } from '../../contract/errors.ts';
import { type WireRejection, wireRejection } from '../../contract/wire-rejections.ts';
import type { Clock } from '../../kernel/time.ts';
import { CREDENTIAL_REASONS, type RejectionReason } from '../../messages/rejections.ts';
import { connectionAddress } from '../auth/addresses.ts';
import type { Proxies } from '../auth/proxies.ts';
import { ANONYMOUS } from '../caller.ts';
import { REFUSED, type SlidingWindow } from '../limits/sliding-window.ts';
import type { GatewayCounters } from '../metrics.ts';
import type { ExchangeNow } from '../submit.ts';
import { type AnswerStyle, errorText, sendEnvelope } from './answers.ts';
import type { ArrivingRequest } from './body.ts';
import type { HttpReply } from './http-reply.ts';
import type { RefusalLog } from './refusal-log.ts';

export interface GateParts {
  readonly style: AnswerStyle;
  readonly clock: Clock;
  readonly exchangeNow: ExchangeNow;
  readonly isServing: () => boolean;
  /** Limiter of failed authentications by address; undefined if limits are off. */
  readonly failures: SlidingWindow | undefined;
  readonly proxies: Proxies | undefined;
  readonly counters: GatewayCounters;
  readonly refusals: RefusalLog;
}

export class RequestGate {
  readonly #parts: GateParts;

  constructor(parts: GateParts) {
    this.#parts = parts;
  }

  addressOf({ socket, known }: ArrivingRequest): string {
    const { proxies } = this.#parts;
    const forwardedFor = known['x-forwarded-for'];
    if (proxies === undefined || forwardedFor === undefined) return connectionAddress(socket);
    return proxies.callerBehind(socket, forwardedFor);
  }

  /**
   * While the program stops, a refusal also closes the connection, so that it does not delay the
   * stop.
   */
  reject(reply: HttpReply, reason: RejectionReason, language: Language): undefined {
    this.sendRefusal(reply, wireRejection(reason), language, !this.#parts.isServing());
  }

  sendRefusal(
    reply: HttpReply,
    refusal: WireRejection,
    language: Language,
    cut: boolean,
  ): undefined {
    const error = wireError(refusal, language, 'v2');
    const text = errorText(error, this.#parts.exchangeNow());
    this.#note(reply.req, refusal);
    sendEnvelope(reply, { style: this.#parts.style, status: error.status, text, close: cut });
  }

  /** Failures are logged elsewhere. */
  #note(request: ArrivingRequest, refusal: WireRejection): void {
    if (refusal.reason === 'outcomeUnknown') return;
    this.#parts.refusals.note(() => {
      const { method = '', url = '' } = request;
      const [path = ''] = url.split('?', 1);
      const { code, msg } = wireError(refusal, 'en', 'v2');
      return { method, path, code, reason: msg, address: this.addressOf(request), uid: ANONYMOUS };
    });
  }

  /**
   * Failed authentication counts against the address (LIM-06); a missing permission does not
   * (LIM-09). Returns the final refusal.
   */
  refusalOf(address: string, refusal: WireRejection): WireRejection {
    const { failures, clock, counters } = this.#parts;
    if (!CREDENTIAL_REASONS.has(refusal.reason)) return refusal;
    counters.authenticationsFailed++;
    if (failures === undefined || failures.take(address, clock.monotonic()) !== REFUSED)
      return refusal;
    counters.refusedByLimit++;
    return wireRejection('tooManyRequests', undefined, String(failures.perSecond));
  }
}
