/**
 * The parts of a fault, as the operator sends them and as lists show them: the calls it strikes,
 * and its effect.
 */

import { ok, refuse } from '../kernel/result.ts';
import * as field from './fields.ts';
import {
  type Field,
  type Fields,
  type FieldValues,
  type FieldWires,
  readerOf,
} from './fields-reader.ts';
import * as identifier from './identifier-fields.ts';
import { isAbsent, isRawObject, type RawObject } from './raw.ts';
import type { JsonSchema } from './schema.ts';
import { fraction, object, sometimes, text, wholeNumber, word } from './shapes.ts';
import { wireRejection } from './wire-rejections.ts';

/** Answers that leave the outcome open. The client must look for the order by its `clientOid`. */
const UNKNOWN_RESULT_CODES = ['40010', '40725', '45001'] as const;
const ORDER_FATES = ['placed', 'notPlaced', 'placedLater'] as const;
/** Kinds of calls that exist in every API version, each with its own path. */
const CALL_KINDS = ['place', 'cancel', 'ask'] as const;
export type CallKind = (typeof CALL_KINDS)[number];

const STRUCK_STATUSES = [429, 500, 502, 503] as const;
export type StruckStatus = (typeof STRUCK_STATUSES)[number];

/** No client waits longer for an answer, and no test for an order. */
const FAULT_MS_MAX = 600_000;
/** Far more calls than a test makes. */
const STRIKES_MAX = 1_000_000;
/** At this rate an answer is no longer slow. */
const BYTES_PER_SECOND_MAX = 1_000_000;
const SEED_MAX = 2 ** 32 - 1;
const NAME_LENGTH_MAX = 64;
const PATH_LENGTH_MAX = 128;

const WHOLE = /^\d{1,10}$/;
const wholeBetween = (least: number, most: number): Field<number, number> => {
  const read = (input: string): number | undefined => {
    const value = WHOLE.test(input) ? Number.parseInt(input, 10) : -1;
    return value >= least && value <= most ? value : undefined;
  };
  return field.scalar({ type: 'integer', examples: [least] }, read, `${least} to ${most}`);
};

const FRACTION = /^(?:0(?:\.\d{1,18})?|1(?:\.0{1,18})?)$/;
const share: Field<number, number> = field.scalar(
  { type: 'number', examples: [0.1] },
  (input) => (FRACTION.test(input) ? Number.parseFloat(input) : undefined),
  '0 to 1',
);

const struckStatus: Field<StruckStatus, StruckStatus> = field.scalar(
  { type: 'integer', enum: STRUCK_STATUSES },
  (input) => STRUCK_STATUSES.find((status) => String(status) === input),
);

const milliseconds = wholeBetween(0, FAULT_MS_MAX);

export const faultName = field.text(NAME_LENGTH_MAX);

/** The conditions on a call that a fault strikes. All given conditions must hold. */
export const matchFields = {
  endpoint: field.describe(
    'Path of a public endpoint',
    field.optional(field.text(PATH_LENGTH_MAX)),
  ),
  call: field.describe(
    'Kind of call, on any path: placing, cancelling, or getting one order',
    field.optional(field.sameWords(CALL_KINDS)),
  ),
  uid: field.describe('Only calls of this user', field.optional(identifier.uid())),
  clientOid: field.describe(
    'Only calls that name this client order ID',
    field.optional(identifier.clientOid()),
  ),
  nth: field.describe(
    'First matching call that can be struck, counted from 1',
    field.optional(wholeBetween(1, STRIKES_MAX)),
  ),
  probability: field.describe(
    'Probability that a matching call is struck, from 0 to 1',
    field.optional(share),
  ),
  seed: field.describe(
    'Seed of the random draws; 1 when left out',
    field.optional(wholeBetween(0, SEED_MAX)),
  ),
  times: field.describe(
    'Number of calls that the fault strikes; 1 when left out',
    field.optional(wholeBetween(1, STRIKES_MAX)),
  ),
};
export type FaultMatch = {
  readonly [Name in keyof FieldValues<typeof matchFields>]?: FieldValues<typeof matchFields>[Name];
};

const order = field.sameWords(ORDER_FATES);
const isPlaced = field.withDefault(
  field.sameWords(['placed', 'notPlaced']),
  'notPlaced',
  'notPlaced',
);

/** The fields of each kind of effect. */
const effectKinds = {
  reply: {
    code: field.describe('Answer that the client gets', field.sameWords(UNKNOWN_RESULT_CODES)),
    order: field.describe('Fate of the order', order),
    delayMs: field.describe(
      'Delay of `placedLater` after the answer, in milliseconds',
      field.optional(milliseconds),
    ),
  },
  cut: {
    when: field.describe(
      'Whether the connection breaks before execution, or after the result is durable',
      field.sameWords(['beforeCommit', 'afterCommit']),
    ),
  },
  delay: {
    ms: field.describe('Duration', milliseconds),
    when: field.describe(
      'Whether the delay comes before or after execution',
      field.withDefault(field.sameWords(['before', 'after']), 'before', 'before'),
    ),
  },
  hide: {
    ms: field.describe('Time for which `order-info` and lists omit the order', milliseconds),
  },
  status: {
    status: field.describe('HTTP status', struckStatus),
    order: field.describe('Whether the call is executed nevertheless', isPlaced),
  },
  drip: {
    bytesPerSecond: field.describe(
      'Rate at which the answer is sent',
      wholeBetween(1, BYTES_PER_SECOND_MAX),
    ),
  },
} as const;

export type EffectKind = keyof typeof effectKinds;
export type EffectOf<Kind extends EffectKind> = { readonly kind: Kind } & FieldValues<
  (typeof effectKinds)[Kind]
>;
export type FaultEffect = { [Kind in EffectKind]: EffectOf<Kind> }[EffectKind];
type EffectWire = {
  [Kind in EffectKind]: { readonly kind: Kind } & FieldWires<(typeof effectKinds)[Kind]>;
}[EffectKind];

const kindField = field.sameWords(Object.keys(effectKinds) as readonly EffectKind[]);

/** One schema for all kinds. A field of two kinds has the words of both. */
function effectSchema(): JsonSchema {
  const properties: Record<string, JsonSchema> = {
    kind: { ...kindField.schema, description: 'Kind of effect' },
  };
  for (const [kind, fields] of Object.entries(effectKinds) as [EffectKind, Fields][])
    for (const [name, { schema }] of Object.entries(fields)) {
      const known = properties[name];
      const words = [...new Set([...(known?.enum ?? []), ...(schema.enum ?? [])])];
      const before = known === undefined ? '' : `${known.description} `;
      const description = `${before}${kind}: ${schema.description}.`;
      properties[name] = { ...schema, description, ...(words.length > 0 ? { enum: words } : {}) };
    }
  return { type: 'object', properties, required: ['kind'] };
}

const EFFECT_FIELDS: ReadonlySet<string> = new Set(
  Object.values(effectKinds).flatMap((fields) => Object.keys(fields)),
);

/** A field of another kind of effect. Its client expects an effect that will not happen. */
const foreignFieldIn = (kind: EffectKind, raw: RawObject): string | undefined =>
  [...raw.keys()].find(
    (name) => EFFECT_FIELDS.has(name) && !(name in effectKinds[kind]) && !isAbsent(raw.get(name)),
  );

/** `kind` decides the other fields. */
export const effectField: Field<FaultEffect, EffectWire> = {
  schema: effectSchema(),
  required: true,
  decode: (raw, name) => {
    if (isAbsent(raw)) return refuse(wireRejection('fieldMissing', name));
    if (!isRawObject(raw)) return refuse(wireRejection('fieldInvalid', name));
    const kind = kindField.decode(raw.get('kind'), `${name}.kind`);
    if (!kind.ok) return kind;
    const foreign = foreignFieldIn(kind.value, raw);
    if (foreign !== undefined)
      return refuse(
        wireRejection('fieldInvalid', `${name}.${foreign}`, `${kind.value} has no such field`),
      );
    const decoded = readerOf(effectKinds[kind.value] as Fields)(raw, `${name}.`);
    return decoded.ok ? ok({ kind: kind.value, ...decoded.value } as FaultEffect) : decoded;
  },
};

export const matchShape = object({
  endpoint: sometimes(text('Path of a public endpoint')),
  call: sometimes(word(CALL_KINDS, 'Kind of call')),
  uid: sometimes(text('User ID')),
  clientOid: sometimes(text('Client order ID')),
  nth: sometimes(wholeNumber('First matching call that can be struck, counted from 1')),
  probability: sometimes(fraction('Probability that a matching call is struck')),
  seed: sometimes(wholeNumber('Seed of the random draws')),
  times: wholeNumber('Number of calls that the fault strikes'),
});

export const effectShape = object({
  kind: word(Object.keys(effectKinds) as readonly EffectKind[], 'Kind of effect'),
  code: sometimes(word(UNKNOWN_RESULT_CODES, 'Answer that the client gets')),
  order: sometimes(word(ORDER_FATES, 'Fate of the order')),
  delayMs: sometimes(wholeNumber('Delay between the answer and the placing')),
  when: sometimes(
    word(
      ['beforeCommit', 'afterCommit', 'before', 'after'],
      'Point in the call at which the fault acts',
    ),
  ),
  ms: sometimes(wholeNumber('Duration')),
  status: sometimes(wholeNumber('HTTP status')),
  bytesPerSecond: sometimes(wholeNumber('Rate at which the answer is sent')),
});
