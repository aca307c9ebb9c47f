/**
 * Refusals as a caller reads them, with the field name of the call. A `Rejection` of the core does
 * not have this type until `field-names.ts` has named its field, so a missing step does not
 * compile.
 */
import type { Brand } from '../kernel/brand.ts';
import type { RejectionReason } from '../messages/rejections.ts';

export type WireField = Brand<string, 'WireField'>;

export interface WireRejection {
  readonly reason: RejectionReason;
  readonly field?: WireField;
  readonly detail?: string;
}

/** A refusal by the gateway itself, which knows the call and therefore the name of the field. */
export const wireRejection = (
  reason: RejectionReason,
  field?: string,
  detail?: string,
): WireRejection => ({
  reason,
  ...(field === undefined ? {} : { field: field as WireField }),
  ...(detail === undefined ? {} : { detail }),
});
