/** The table from the reason of a refusal to its code, HTTP status and text in both languages. */
import type { RejectionReason } from '../messages/rejections.ts';
import { copyAndAgentErrors } from './copy-and-agent-errors.ts';
import type { Dialect, Language } from './dialects.ts';
import type { ErrorRow } from './error-row.ts';
import { requestErrors } from './request-errors.ts';
import { tradingErrors } from './trading-errors.ts';
import { triggerErrors } from './trigger-errors.ts';
import type { WireRejection } from './wire-rejections.ts';
import { withdrawalErrors } from './withdrawal-errors.ts';

export interface WireError {
  readonly code: string;
  readonly msg: string;
  readonly status: number;
}

/** A reason without a row does not compile. */
export const errorTable: Readonly<Record<RejectionReason, ErrorRow>> = {
  ...requestErrors,
  ...tradingErrors,
  ...triggerErrors,
  ...copyAndAgentErrors,
  ...withdrawalErrors,
};

const BRACKETED = /\[([^\]]*)\]/g;

/** Fills a text in. A bracketed part disappears if its value is unknown. */
function fillIn(text: string, { field, detail }: WireRejection): string {
  const known = text.replace(BRACKETED, (_, part: string) => {
    if (part.includes('{field}') && field === undefined) return '';
    if (part.includes('{detail}') && detail === undefined) return '';
    return part;
  });
  return known
    .replaceAll('{field}', () => field ?? '')
    .replaceAll('{detail}', () => detail ?? '')
    .trim();
}

export function errorCode(reason: RejectionReason, dialect: Dialect): string {
  const { code } = errorTable[reason];
  return typeof code === 'string' ? code : (code[dialect] ?? code.v2);
}

export const errorStatus = (reason: RejectionReason): number => errorTable[reason].status ?? 400;

/** The wire form of a refusal. */
export const wireError = (
  rejection: WireRejection,
  language: Language,
  dialect: Dialect = 'v2',
): WireError => ({
  code: errorCode(rejection.reason, dialect),
  msg: fillIn(errorTable[rejection.reason][language], rejection),
  status: errorStatus(rejection.reason),
});
