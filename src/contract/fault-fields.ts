/**
 * What a fault is made of, as the operator says it and as lists show it: the calls it strikes, and
 * what it does to them.
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

/** Answers that leave a client in doubt: it must ask for the order by its `clientOid`. */
const UNKNOWN_RESULT_CODES = ['40010', '40725', '45001'] as const;
const ORDER_FATES = ['placed', 'notPlaced', 'placedLater'] as const;
/** Kinds of call that every door of the API has under a path of its own. */
const CALL_KINDS = ['place', 'cancel', 'ask'] as const;
export type CallKind = (typeof CALL_KINDS)[number];

const STRUCK_STATUSES = [429, 500, 502, 503] as const;
export type StruckStatus = (typeof STRUCK_STATUSES)[number];

/** Nobody waits longer than this for an answer, and no test for an order. */
const FAULT_MS_MAX = 600_000;
/** Far more calls than a rehearsal makes. */
const STRIKES_MAX = 1_000_000;
/** A rate at which nothing is slow any more. */
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

/** Which calls a fault strikes: those of which everything that is said is true. */
export const matchFields = {
  endpoint: field.describe(
    'Path of a public endpoint',
    field.optional(field.text(PATH_LENGTH_MAX)),
  ),
  call: field.describe(
    'Kind of call, by whichever path: one that places something, cancels orders, or asks for one order',
    field.optional(field.sameWords(CALL_KINDS)),
  ),
  uid: field.describe('Only calls of this user', field.optional(identifier.uid())),
  clientOid: field.describe(
    'Only calls that name this client order ID',
    field.optional(identifier.clientOid()),
  ),
  nth: field.describe(
    'From the nth of the matching calls on',
    field.optional(wholeBetween(1, STRIKES_MAX)),
  ),
  probability: field.describe(
    'Chance of each matching call to be struck, from 0 to 1',
    field.optional(share),
  ),
  seed: field.describe('Of the chance; 1 when left out', field.optional(wholeBetween(0, SEED_MAX))),
  times: field.describe(
    'How many calls it strikes; 1 when left out',
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
    code: field.describe('What is answered', field.sameWords(UNKNOWN_RESULT_CODES)),
    order: field.describe('What becomes of the order', order),
    delayMs: field.describe(
      '`placedLater`: so many milliseconds after the answer',
      field.optional(milliseconds),
    ),
  },
  cut: {
    when: field.describe(
      'Before anything happened, or when it is done for good',
      field.sameWords(['beforeCommit', 'afterCommit']),
    ),
  },
  delay: {
    ms: field.describe('How long', milliseconds),
    when: field.describe(
      'Before the call is carried out, or after',
      field.withDefault(field.sameWords(['before', 'after']), 'before', 'before'),
    ),
  },
  hide: {
    ms: field.describe('How long the order is missing from `order-info` and lists', milliseconds),
  },
  status: {
    status: field.describe('HTTP status', struckStatus),
    order: field.describe('Whether the call is carried out all the same', isPlaced),
  },
  drip: {
    bytesPerSecond: field.describe(
      'How fast the answer comes',
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

/** One schema for all kinds: a field that two of them share takes the words of both. */
function effectSchema(): JsonSchema {
  const properties: Record<string, JsonSchema> = {
    kind: { ...kindField.schema, description: 'What happens' },
  };
  for (const [kind, fields] of Object.entries(effectKinds) as [EffectKind, Fields][])
    for (const [name, { schema }] of Object.entries(fields)) {
      const known = properties[name];
      const words = [...new Set([...(known?.enum ?? []), ...(schema.enum ?? [])])];
      const description = `${known === undefined ? '' : `${known.description} `}${kind}: ${schema.description}.`;
      properties[name] = { ...schema, description, ...(words.length > 0 ? { enum: words } : {}) };
    }
  return { type: 'object', properties, required: ['kind'] };
}

const EFFECT_FIELDS: ReadonlySet<string> = new Set(
  Object.values(effectKinds).flatMap((fields) => Object.keys(fields)),
);

/** A field of another kind of effect: whoever says one expects what will not happen. */
const strangerIn = (kind: EffectKind, raw: RawObject): string | undefined =>
  [...raw.keys()].find(
    (name) => EFFECT_FIELDS.has(name) && !(name in effectKinds[kind]) && !isAbsent(raw.get(name)),
  );

/** `kind` decides which other fields there are. */
export const effectField: Field<FaultEffect, EffectWire> = {
  schema: effectSchema(),
  required: true,
  decode: (raw, name) => {
    if (isAbsent(raw)) return refuse(wireRejection('fieldMissing', name));
    if (!isRawObject(raw)) return refuse(wireRejection('fieldInvalid', name));
    const kind = kindField.decode(raw.get('kind'), `${name}.kind`);
    if (!kind.ok) return kind;
    const stranger = strangerIn(kind.value, raw);
    if (stranger !== undefined)
      return refuse(wireRejection('fieldInvalid', `${name}.${stranger}`, `${kind.value} has none`));
    const decoded = readerOf(effectKinds[kind.value] as Fields)(raw, `${name}.`);
    return decoded.ok ? ok({ kind: kind.value, ...decoded.value } as FaultEffect) : decoded;
  },
};

export const matchShape = object({
  endpoint: sometimes(text('Path of a public endpoint')),
  call: sometimes(word(CALL_KINDS, 'Kind of call')),
  uid: sometimes(text('User ID')),
  clientOid: sometimes(text('Client order ID')),
  nth: sometimes(wholeNumber('From the nth matching call on')),
  probability: sometimes(fraction('Chance of each matching call')),
  seed: sometimes(wholeNumber('Of the chance')),
  times: wholeNumber('How many calls it strikes'),
});

export const effectShape = object({
  kind: word(Object.keys(effectKinds) as readonly EffectKind[], 'What happens'),
  code: sometimes(word(UNKNOWN_RESULT_CODES, 'What is answered')),
  order: sometimes(word(ORDER_FATES, 'What becomes of the order')),
  delayMs: sometimes(wholeNumber('How long after the answer it is placed')),
  when: sometimes(word(['beforeCommit', 'afterCommit', 'before', 'after'], 'When it happens')),
  ms: sometimes(wholeNumber('How long')),
  status: sometimes(wholeNumber('HTTP status')),
  bytesPerSecond: sometimes(wholeNumber('How fast the answer comes')),
});
