/**
 * Refuses a name given twice in a query or a JSON object, because its meaning is ambiguous. The
 * refusal names it.
 */

import { type WireRejection, wireRejection } from '../../contract/wire-rejections.ts';
import { type Refused, refuse } from '../../kernel/result.ts';

/** Only a text in the form of a field name is repeated in the refusal. */
const FIELD = /^\w{1,64}$/;

export const givenTwice = (name: string): Refused<WireRejection> =>
  refuse(
    FIELD.test(name)
      ? wireRejection('malformedRequest', name, 'given twice')
      : wireRejection('malformedRequest'),
  );
