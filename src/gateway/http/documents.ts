/** Serves requests that are not endpoint calls: documents, and CORS preflights. */

import { STREAM_PATHS } from '../../contract/channels/stream-paths.ts';
import type { Language } from '../../contract/dialects.ts';
import { wireRejection } from '../../contract/wire-rejections.ts';
import type { Log } from '../log.ts';
import { type AnswerStyle, sendDocument, sendPreflight, sendRedirect } from './answers.ts';
import { type ArrivingRequest, hasBody } from './body.ts';
import type { KnownHeaders } from './headers.ts';
import type { HttpReply } from './http-reply.ts';
import type { RequestGate } from './request-gate.ts';

/** The reference page; the root path redirects to it. */
export const REFERENCE_PATH = '/docs';

/** A document: the API's description, or metrics. */
export interface Document {
  readonly contentType: string;
  readonly guarded: boolean;
  text(): string | Promise<string>;
}

export interface DocumentParts {
  readonly documents: ReadonlyMap<string, Document>;
  /** True if the caller may read guarded documents. */
  readonly mayRead: (headers: KnownHeaders) => boolean;
  readonly style: AnswerStyle;
  /** True if pages of other origins may call. */
  readonly crossOrigin: boolean;
  /** True if some paths are those of streams. */
  readonly hasStreams: boolean;
  readonly isServing: () => boolean;
  readonly log: Log;
}

const NOT_A_STREAM = wireRejection(
  'malformedRequest',
  'Upgrade',
  'this is the path of a WebSocket stream',
);

export class Documents {
  readonly #parts: DocumentParts;
  readonly #requestGate: RequestGate;

  constructor(parts: DocumentParts, requestGate: RequestGate) {
    this.#parts = parts;
    this.#requestGate = requestGate;
  }

  receive(request: ArrivingRequest, reply: HttpReply, path: string, language: Language): undefined {
    if (this.#isPreflight(request)) return sendPreflight(reply, !this.#parts.isServing());
    if (request.method !== 'GET') return this.#requestGate.reject(reply, 'unknownPath', language);
    if (path === '/') return sendRedirect(reply, REFERENCE_PATH, !this.#parts.isServing());
    const document = this.#parts.documents.get(path);
    if (document === undefined && this.#parts.hasStreams && STREAM_PATHS.has(path))
      return this.#requestGate.sendRefusal(reply, NOT_A_STREAM, language, false);
    if (document === undefined) return this.#requestGate.reject(reply, 'unknownPath', language);
    this.#show(document, request, reply, language);
  }

  #isPreflight({ method, known: headers }: ArrivingRequest): boolean {
    return (
      this.#parts.crossOrigin &&
      method === 'OPTIONS' &&
      headers.origin !== undefined &&
      headers['access-control-request-method'] !== undefined
    );
  }

  #show(
    document: Document,
    request: ArrivingRequest,
    reply: HttpReply,
    language: Language,
  ): undefined {
    const { mayRead, style, log } = this.#parts;
    if (hasBody(request.known))
      return this.#requestGate.reject(reply, 'malformedRequest', language);
    if (document.guarded && !mayRead(request.known)) {
      const refusal = this.#requestGate.refusalOf(
        this.#requestGate.addressOf(request),
        wireRejection('operatorTokenWrong'),
      );
      return this.#requestGate.sendRefusal(reply, refusal, language, !this.#parts.isServing());
    }
    Promise.resolve(document.text()).then(
      (text) => sendDocument(reply, style, document.contentType, text, !this.#parts.isServing()),
      (error: unknown) => {
        log.error({ err: error }, 'a document failed');
        this.#requestGate.reject(reply, 'outcomeUnknown', language);
      },
    );
  }
}
