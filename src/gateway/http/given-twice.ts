/**
 * Refuses a name given twice in a query or a JSON object, because its meaning is ambiguous. The
 * refusal names it.
 */
import { type Refused, refuse } from '../../kernel/result.ts';
import { type Rejection, rejection } from '../../messages/rejections.ts';

/** Only a text in the form of a field name is repeated in the refusal. */
const FIELD = /^\w{1,64}$/;

export const givenTwice = (name: string): Refused<Rejection> =>
  refuse(
    FIELD.test(name)
      ? rejection('malformedRequest', name, 'given twice')
      : rejection('malformedRequest'),
  );
