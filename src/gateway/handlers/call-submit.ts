/**
 * Submits the command of a call. A refusal names its field as the call does: by the API version, or
 * by a table of the call itself (API-33).
 */
import type { Dialect } from '../../contract/dialects.ts';
import { type CallNames, type Named, namedRejection } from '../../contract/field-names.ts';
import type { WireRejection } from '../../contract/wire-rejections.ts';
import { ok, type Result, refuse } from '../../kernel/result.ts';
import type { CommandOf, CommandType } from '../../messages/commands.ts';
import type { Outcomes } from '../../messages/outcomes.ts';
import type { Rejection } from '../../messages/rejections.ts';
import type { Submit } from '../submit.ts';

/** Items of a batch may have different names. */
type NamesOfCall = CallNames | ((item: number) => CallNames);

export type CallSubmit = <Type extends CommandType>(
  command: CommandOf<Type>,
  names?: NamesOfCall,
) => Promise<Result<Named<Outcomes[Type]>, WireRejection>>;

const isRefused = (value: unknown): value is { readonly refusal: Rejection } =>
  typeof value === 'object' && value !== null && 'refusal' in value;

export const callSubmit = (submit: Submit, version: Dialect): CallSubmit => {
  const named = (value: unknown, names: NamesOfCall | undefined, item = 0): unknown => {
    if (Array.isArray(value))
      return value.some(isRefused) ? value.map((each, at) => named(each, names, at)) : value;
    if (!isRefused(value)) return value;
    const call = typeof names === 'function' ? names(item) : names;
    return { ...value, refusal: namedRejection(value.refusal, version, call) };
  };
  return async <Type extends CommandType>(command: CommandOf<Type>, names?: NamesOfCall) => {
    const result = await submit(command);
    return result.ok
      ? ok(named(result.value, names) as Named<Outcomes[Type]>)
      : refuse((named(result, names) as { readonly refusal: WireRejection }).refusal);
  };
};
