/**
 * The steps of a request, always in this order (REQ-01): route and method, content type and size,
 * body, authentication, permission, rate limit, JSON or query, fields, handler, envelope. The first
 * step that refuses answers the request.
 */
import type { ServerResponse } from 'node:http';
import { type Language, languageOf } from '../../contract/dialects.ts';
import { wireError } from '../../contract/errors.ts';
import { isRawObject, type Raw, type RawObject } from '../../contract/raw.ts';
import { type WireRejection, wireRejection } from '../../contract/wire-rejections.ts';
import type { Uid } from '../../kernel/ids.ts';
import { ok, type Result, refuse } from '../../kernel/result.ts';
import { HistoryUnavailable } from '../../views/history/history.ts';
import type { ArrivedCall } from '../auth/authenticate.ts';
import { ANONYMOUS, type Caller } from '../caller.ts';
import { drip } from '../faults/drip.ts';
import type { FaultLaboratory } from '../faults/fault-laboratory.ts';
import type { Execute } from '../faults/watched-call.ts';
import type { Reply } from '../handlers/handler.ts';
import { REFUSED } from '../limits/sliding-window.ts';
import { errorText, SUCCESS_CODE, sendEnvelope, successText } from './answers.ts';
import {
  type ArrivingRequest,
  BODY_BYTES_MAX,
  endsSoon,
  hasBody,
  isBodyTooLarge,
  isJsonBody,
  isMalformed,
} from './body.ts';
import { type ConcurrencyLimiter, kindOf, type Slot } from './concurrency-limiter.ts';
import { type DocumentParts, Documents } from './documents.ts';
import type { HttpReply } from './http-reply.ts';
import { readJson } from './json-reader.ts';
import { readQuery } from './query.ts';
import { type AfterWriting, RequestBatcher } from './request-batcher.ts';
import { type GateParts, RequestGate } from './request-gate.ts';
import type { Route, Routes } from './routes.ts';
import { noUpload, type Upload, UploadBrokenOff, Uploads, UploadTooLarge } from './upload.ts';

/** Authenticates the caller. It is the only step that differs between public and operator API. */
export type Admit = (
  route: Route,
  call: ArrivedCall,
  language: Language,
) => Result<Caller, WireRejection>;

export interface PipelineParts extends GateParts, DocumentParts {
  readonly routes: Routes;
  readonly admit: Admit;
  readonly afterWriting: AfterWriting;
  readonly concurrencyLimiter: ConcurrencyLimiter;
  readonly limits: boolean;
  /** Deliberate faults; undefined on the operator API. */
  readonly faults: FaultLaboratory | undefined;
}

/** Each step calls the next or answers. It returns that call, so an early exit is one line. */
type Answered = undefined;

/**
 * One request on its way to the answer. Its body and its remaining limit become known on the way.
 */
interface RequestContext extends Slot {
  readonly reply: HttpReply;
  readonly route: Route;
  readonly call: ArrivedCall & { body: Buffer };
  readonly params: RawObject | undefined;
  readonly language: Language;
  readonly since: number;
  remaining: number | undefined;
  /** `ANONYMOUS` until the caller is authenticated. */
  caller: Uid;
  /** True if the connection closes after the answer. */
  cut: boolean;
  /** A body that the handler reads as a stream. */
  upload?: Upload;
  /** Sends the answer in the way that a fault requires. */
  ending?: ((response: ServerResponse, text: string) => void) | undefined;
}

const NO_BODY = Buffer.alloc(0);
const bodyTooLarge = (bytesMax: number): WireRejection =>
  wireRejection('bodyTooLarge', undefined, String(bytesMax));
const BODY_TOO_LARGE = bodyTooLarge(BODY_BYTES_MAX);

export class Pipeline {
  readonly #parts: PipelineParts;
  readonly #concurrencyLimiter: ConcurrencyLimiter;
  readonly #requestBatcher: RequestBatcher<RequestContext>;
  readonly #requestGate: RequestGate;
  readonly #documents: Documents;
  readonly #uploads = new Uploads();

  constructor(parts: PipelineParts) {
    this.#parts = parts;
    this.#requestGate = new RequestGate(parts);
    this.#documents = new Documents(parts, this.#requestGate);
    this.#concurrencyLimiter = parts.concurrencyLimiter;
    this.#requestBatcher = new RequestBatcher(
      (context) => this.#proceed(context),
      parts.afterWriting,
    );
  }

  readonly receive = (request: ArrivingRequest, reply: HttpReply): Answered => {
    const { routes, clock } = this.#parts;
    const { method = '', url: target = '', known: headers, rawHeaders } = request;
    const language = languageOf(headers.locale);
    if (isMalformed(request)) return this.#requestGate.reject(reply, 'malformedRequest', language);
    const mark = target.indexOf('?');
    const path = mark < 0 ? target : target.slice(0, mark);
    const found = routes.find(method, path);
    if (found === undefined) return this.#documents.receive(request, reply, path, language);
    const { route } = found;
    if (!route.always && !this.#parts.isServing())
      return this.#requestGate.reject(reply, 'notServing', language);
    const kind = kindOf(route.method);
    if (!this.#concurrencyLimiter.admits(kind, request.socket))
      return this.#requestGate.reject(reply, 'tooManyRequests', language);
    const query = mark < 0 ? '' : target.slice(mark + 1);
    const address = this.#requestGate.addressOf(request);
    const call = { method, path, query, body: NO_BODY, headers, rawHeaders, address };
    const context = {
      reply,
      route,
      call,
      params: found.params,
      language,
      since: clock.monotonic(),
      remaining: undefined,
      caller: ANONYMOUS,
      cut: false,
      kind,
      uid: ANONYMOUS,
      waits: false,
      left: false,
    };
    this.#takeBody(request, context);
  };

  /** Refuses an `Expect` header other than `100-continue`, without waiting for its body. */
  readonly refuseExpectation = (request: ArrivingRequest, reply: HttpReply): Answered => {
    const language = languageOf(request.known.locale);
    this.#requestGate.sendRefusal(
      reply,
      wireRejection('malformedRequest', 'Expect'),
      language,
      true,
    );
  };

  #takeBody(request: ArrivingRequest, context: RequestContext): Answered {
    const { known: headers } = request;
    if (context.route.method !== 'POST') {
      // The signature of such a call does not cover a body.
      if (hasBody(headers))
        return this.#refuseUnread(
          request,
          context,
          wireRejection('malformedRequest', 'body', `a ${context.route.method} has no body`),
        );
      return this.#proceed(context);
    }
    if (context.route.uploadBytesMax !== undefined)
      return this.#takeUpload(request, context, context.route.uploadBytesMax);
    if (!isJsonBody(headers))
      return this.#refuseUnread(request, context, wireRejection('contentTypeNotJson'));
    if (isBodyTooLarge(headers)) return this.#refuseUnread(request, context, BODY_TOO_LARGE);
    request.awaitBody({
      whole: (body) => {
        context.call.body = body;
        // The call counts as waiting from here on, because one turn may admit many calls.
        this.#concurrencyLimiter.wait(context, ANONYMOUS);
        this.#requestBatcher.add(context);
      },
      tooLarge: () => this.#refuseUnread(request, context, BODY_TOO_LARGE),
      gone: () => this.#concurrencyLimiter.leave(context, request.socket),
    });
  }

  /** Reads the bytes only after the caller is admitted. */
  #takeUpload(request: ArrivingRequest, context: RequestContext, bytesMax: number): Answered {
    if (isBodyTooLarge(request.known, bytesMax))
      return this.#refuseUnread(request, context, bodyTooLarge(bytesMax));
    context.upload = request.takeUpload(bytesMax);
    this.#proceed(context);
  }

  /**
   * Refuses a request whose body was not fully read. If the rest is short, it is read and dropped;
   * otherwise the connection closes.
   */
  #refuseUnread(
    request: ArrivingRequest,
    context: RequestContext,
    refusal: WireRejection,
  ): Answered {
    context.cut = !endsSoon(request.known);
    this.#refuse(context, refusal);
  }

  /** Answers every exception from here on, so that one failing request does not affect others. */
  #proceed(context: RequestContext): Answered {
    try {
      this.#admit(context);
    } catch (error) {
      this.#fail(context, error);
    }
  }

  #admit(context: RequestContext): Answered {
    const { admit, clock, counters } = this.#parts;
    const { route, call } = context;
    const admitted = admit(route, call, context.language);
    if (!admitted.ok)
      return this.#refuse(context, this.#requestGate.refusalOf(call.address, admitted.refusal));
    context.caller = admitted.value.uid;
    const { window } = route;
    if (window !== undefined) {
      const left = window.take(
        route.countedBy === 'uid' ? admitted.value.uid : call.address,
        clock.monotonic(),
      );
      context.remaining = Math.max(0, left);
      if (left === REFUSED) {
        counters.refusedByLimit++;
        return this.#refuse(
          context,
          wireRejection('tooManyRequests', undefined, String(window.perSecond)),
        );
      }
    }
    if (this.#parts.limits && this.#concurrencyLimiter.isFullOf(context.kind, admitted.value.uid)) {
      counters.refusedByLoad++;
      return this.#refuse(context, wireRejection('tooManyRequests'));
    }
    this.#call(context, admitted.value);
  }

  #call(context: RequestContext, caller: Caller): Answered {
    const { route } = context;
    const raw = rawRequest(context);
    if (!raw.ok) return this.#refuse(context, raw.refusal);
    const decoded = route.request.decode(raw.value);
    if (!decoded.ok) return this.#refuse(context, decoded.refusal);
    const { faults } = this.#parts;
    if (faults?.isAwake === true)
      return this.#callWatched(faults, context, { uid: caller.uid, raw: raw.value }, () =>
        route.handler(decoded.value, caller, noUpload()),
      );
    if (context.upload !== undefined && !this.#uploads.begin(context.upload))
      return this.#refuse(context, wireRejection('tooManyRequests'));
    const reply = route.handler(decoded.value, caller, context.upload ?? noUpload());
    if (!(reply instanceof Promise)) return this.#answer(context, reply);
    this.#concurrencyLimiter.wait(context, caller.uid);
    reply.then(
      (settled) => this.#conclude(context, settled),
      (error: unknown) => this.#fail(context, error),
    );
  }

  #endUpload(context: RequestContext): void {
    const { upload, reply, route } = context;
    if (upload === undefined) return;
    this.#uploads.end(upload);
    context.cut ||= !upload.isWhole && !endsSoon(reply.req.known, route.uploadBytesMax);
  }

  #conclude(context: RequestContext, reply: Reply<unknown>): Answered {
    try {
      this.#answer(context, reply);
    } catch (error) {
      this.#fail(context, error);
    }
  }

  /** Runs a call through the fault laboratory, which watches calls while it is awake. */
  #callWatched(
    faults: FaultLaboratory,
    context: RequestContext,
    request: { readonly uid: Uid; readonly raw: Raw },
    execute: Execute,
  ): Answered {
    const { name, access } = context.route;
    this.#concurrencyLimiter.wait(context, ANONYMOUS);
    const call = faults.watch({ name, access, ...request });
    call
      .carryOut(execute)
      .then((conclusion) => {
        if (conclusion.kind === 'cut') return this.#drop(context);
        const { reply, status, bytesPerSecond } = conclusion;
        if (bytesPerSecond !== undefined)
          context.ending = (response, text) => drip(response, text, bytesPerSecond);
        if (!context.reply.destroyed) call.shown(reply);
        if (reply.ok) this.#answer(context, reply);
        else this.#refuse(context, reply.refusal, status);
      })
      .catch((error: unknown) => this.#fail(context, error));
  }

  /** Closes the connection without an answer. */
  #drop(context: RequestContext): Answered {
    const { reply, route, since } = context;
    this.#concurrencyLimiter.leave(context, reply.req.socket);
    this.#endUpload(context);
    reply.destroy();
    route.counters.count('dropped', this.#parts.clock.monotonic() - since);
  }

  #answer(context: RequestContext, reply: Reply<unknown>): Answered {
    if (!reply.ok) return this.#refuse(context, reply.refusal);
    this.#send(context, 200, SUCCESS_CODE, successText(reply.value, this.#parts.exchangeNow()));
  }

  #refuse(context: RequestContext, refusal: WireRejection, status?: number): Answered {
    this.#parts.refusals.note(() => {
      const { code, msg } = wireError(refusal, 'en', context.route.dialect);
      const { method, path, address } = context.call;
      return { method, path, code, reason: msg, address, uid: context.caller };
    });
    this.#sendRefusal(context, refusal, status);
  }

  #sendRefusal(context: RequestContext, refusal: WireRejection, status?: number): Answered {
    const error = wireError(refusal, context.language, context.route.dialect);
    this.#send(
      context,
      status ?? error.status,
      error.code,
      errorText(error, this.#parts.exchangeNow()),
    );
  }

  #send(context: RequestContext, status: number, code: string, text: string): Answered {
    const { clock, style, log } = this.#parts;
    const { reply, route, since } = context;
    this.#concurrencyLimiter.leave(context, reply.req.socket);
    this.#endUpload(context);
    const { remaining, cut, ending: end } = context;
    sendEnvelope(reply, {
      style,
      status,
      text,
      remaining,
      close: cut || !this.#parts.isServing(),
      end,
    });
    route.counters.count(code, clock.monotonic() - since);
    if (log.isLevelEnabled('debug'))
      log.debug({ endpoint: route.name, code, address: context.call.address }, 'answered');
  }

  /**
   * Handles an unexpected exception: the caller learns that the outcome is unknown, and the log
   * records it once.
   */
  #fail(context: RequestContext, error: unknown): Answered {
    if (error instanceof UploadTooLarge) return this.#refuse(context, bodyTooLarge(error.bytesMax));
    if (error instanceof UploadBrokenOff) return this.#drop(context);
    const { counters, log } = this.#parts;
    counters.handlerFailures++;
    log.error({ endpoint: context.route.name, err: error }, 'a call failed');
    // A GET changes nothing. Any other call may have been executed, so its outcome is unknown.
    const isLost = error instanceof HistoryUnavailable && context.route.method === 'GET';
    this.#sendRefusal(context, wireRejection(isLost ? 'notServing' : 'outcomeUnknown'));
  }
}

/** The request as raw values: JSON body or query fields, plus path parameters. */
function rawRequest({ route, call, params }: RequestContext): Result<Raw, WireRejection> {
  const read: Result<Raw, WireRejection> =
    route.method === 'POST' && route.uploadBytesMax === undefined
      ? readJson(call.body)
      : readQuery(call.query);
  if (!read.ok || params === undefined) return read;
  if (read.value === undefined) return ok(params);
  if (!isRawObject(read.value)) return refuse(wireRejection('malformedRequest'));
  return ok(new Map([...read.value, ...params]));
}
