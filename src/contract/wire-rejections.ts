/**
 * Refusals as a caller reads them: the field has the name that the call gives it. The core's
 * `Rejection` is none until `field-names.ts` has named its field; forgetting that does not compile.
 */
import type { Brand } from '../kernel/brand.ts';
import type { RejectionReason } from '../messages/rejections.ts';

export type WireField = Brand<string, 'WireField'>;

export interface WireRejection {
  readonly reason: RejectionReason;
  readonly field?: WireField;
  readonly detail?: string;
}

/** A refusal of what the gateway itself reads; it knows the call, and so the field's name. */
export const wireRejection = (
  reason: RejectionReason,
  field?: string,
  detail?: string,
): WireRejection => ({
  reason,
  ...(field === undefined ? {} : { field: field as WireField }),
  ...(detail === undefined ? {} : { detail }),
});
