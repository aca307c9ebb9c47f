/**
 * A name that a query, or an object of a body, gives twice can be understood in two ways: the
 * request is refused, and told which it is.
 */
import { type Refused, refuse } from '../../kernel/result.ts';
import { type Rejection, rejection } from '../../messages/rejections.ts';

/** Only what could be the name of a field is repeated. */
const FIELD = /^\w{1,64}$/;

export const givenTwice = (name: string): Refused<Rejection> =>
  refuse(
    FIELD.test(name)
      ? rejection('malformedRequest', name, 'given twice')
      : rejection('malformedRequest'),
  );
