// The few shapes that every declaration is made of: thin wrappers over TypeBox, so that a
// declaration is short, is JSON Schema, and gives its TypeScript type by inference.
// Facts that JSON Schema lacks ride on it as `x-` keywords (see Keywords).
import type { Static, TProperties, TSchema } from 'typebox';
// Not its default export, with which all of TypeBox would be in the Terraform provider.
import * as Type from 'typebox';
import { queryLimits } from '../../limits/queries.ts';

/** Facts of a field beyond its shape; each becomes an `x-` keyword. */
export type Keywords = {
  /** Encrypted at rest; masked for readers who may not read secrets. */
  readonly sensitive?: boolean;
  /** Stored plain, and masked for readers who may not read secrets. */
  readonly masked?: boolean;
  /** The record the id points to, and whether it must be of the same team. */
  readonly references?: { readonly to: string; readonly within: 'team' | 'organization' };
  /** Values that Terraform accepts, when they are fewer than the API's; what the others are for. */
  readonly terraform?: { readonly values: readonly string[]; readonly others: string };
  /** Cannot be expressed in Terraform: dashboard and API only. */
  readonly apiOnly?: boolean;
  /** Terraform leaves it as it is where its configuration says nothing. */
  readonly setElsewhere?: boolean;
  /** In Terraform also `<name>_wo` with `<name>_wo_version`, for which nothing is stored. */
  readonly writeOnly?: boolean;
  /** No answer has it. In Terraform it is write-only, and this field beside it has how it ends. */
  readonly unanswered?: { readonly endIn: string };
  /** The order of a list does not matter, nor what is in it twice. */
  readonly isSet?: boolean;
  /** Only the service sets it, and each write changes it. */
  readonly countsWrites?: boolean;
};

type FieldOptions = { readonly doc: string } & Keywords;

function keywords(options: Keywords): Record<string, unknown> {
  return {
    ...(options.sensitive && { 'x-sensitive': true }),
    ...(options.masked && { 'x-masked': true }),
    ...(options.references && { 'x-references': options.references }),
    ...(options.terraform && { 'x-terraform': options.terraform }),
    ...(options.apiOnly && { 'x-api-only': true }),
    ...(options.setElsewhere && { 'x-set-elsewhere': true }),
    ...(options.unanswered && { 'x-unanswered': options.unanswered }),
    ...(options.writeOnly && { 'x-write-only': true }),
    ...(options.isSet && { 'x-set': true }),
    ...(options.countsWrites && { 'x-counts-writes': true }),
  };
}

type TextOptions = FieldOptions & {
  readonly min?: number;
  readonly max?: number;
  readonly format?: 'uri' | 'email' | 'time-zone' | 'date-time';
  readonly pattern?: string;
  /** Shown to whoever sends what does not match the pattern; with words, where one is not enough. */
  readonly example?: string;
  readonly default?: string;
};

/** Stored exactly as sent. */
export function text(options: TextOptions) {
  return Type.String({
    description: options.doc,
    minLength: options.min ?? 0,
    maxLength: options.max ?? queryLimits.textLength,
    ...(options.format && { format: options.format }),
    ...(options.pattern && { pattern: options.pattern }),
    ...(options.example !== undefined && { 'x-example': options.example }),
    ...(options.default !== undefined && { default: options.default }),
    ...keywords(options),
  });
}

/** A sensitive text as it is stored: only storage can open it. */
export type Sealed = { readonly sealed: string };

export const isSealed = (value: unknown): value is Sealed =>
  typeof value === 'object' && value !== null && 'sealed' in value;

/** What tells one secret from another, sealed or not. */
export const textOf = (text: string | Sealed): string => (isSealed(text) ? text.sealed : text);

/** A sensitive text; as it is stored, it is sealed. */
export const secret = (options: TextOptions) =>
  Type.Unsafe<string | Sealed>(text({ ...options, sensitive: true }));

export const name = (doc: string) => text({ doc, min: 1 });
/** `what` is the kind of record, such as `service`. */
export const description = (what: string) =>
  optional(
    text({
      doc: `A note for the people who manage this ${what}. It has no other effect.`,
      max: 10_000,
    }),
  );

/** What an id and a counter look like in a text, as parts of patterns. */
export const ID = '[0-9a-f]{24}';
export const COUNTER = '[1-9][0-9]{0,9}';

export function id(doc: string, references?: Keywords['references']) {
  return Type.String({
    description: doc,
    pattern: `^${ID}$`,
    ...keywords(references ? { references } : {}),
  });
}

export const localTimePattern = '^([01][0-9]|2[0-3]):[0-5][0-9]$';
export const localTime = (doc: string) => text({ doc, max: 5, pattern: localTimePattern });
export const zone = (doc: string, fallback?: string) =>
  text({ doc, format: 'time-zone', ...(fallback !== undefined && { default: fallback }) });

export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
export const weekday = (doc: string) => choice(weekdays, { doc });

type NumberOptions = FieldOptions & {
  readonly min: number;
  readonly max: number;
  readonly default?: number;
};

export function wholeNumber(options: NumberOptions) {
  return Type.Integer({
    description: options.doc,
    minimum: options.min,
    maximum: options.max,
    ...(options.default !== undefined && { default: options.default }),
    ...keywords(options),
  });
}

export function flag(options: FieldOptions & { readonly default?: boolean }) {
  return Type.Boolean({
    description: options.doc,
    ...(options.default !== undefined && { default: options.default }),
    ...keywords(options),
  });
}

export function choice<const Values extends readonly string[]>(
  values: Values,
  options: FieldOptions & { readonly default?: Values[number] },
) {
  return Type.Unsafe<Values[number]>({
    type: 'string',
    enum: values,
    description: options.doc,
    ...(options.default !== undefined && { default: options.default }),
    ...keywords(options),
  });
}

type ListOptions = FieldOptions & {
  readonly min?: number;
  readonly max: number;
  /** Whether no member may be in it twice. */
  readonly unique?: true;
  readonly default?: readonly [];
};

export function listOf<Item extends TSchema>(item: Item, options: ListOptions) {
  return Type.Array(item, {
    description: options.doc,
    minItems: options.min ?? (options.default ? 0 : 1),
    maxItems: options.max,
    ...(options.unique && { uniqueItems: true }),
    ...(options.default && { default: options.default }),
    ...keywords(options),
  });
}

/** A list whose members may be null, where null has a meaning of its own (a turn with nobody). */
export function listOfNullable<Item extends TSchema>(item: Item, options: ListOptions) {
  return listOf(nullable(item), options);
}

/** A value that may be null, where null has a meaning of its own: it is not the same as left away. */
export const nullable = <Item extends TSchema>(item: Item, doc?: string) =>
  Type.Union([item, Type.Null()], {
    'x-nullable': true,
    ...(doc !== undefined && { description: doc }),
  });

type MapOptions = {
  readonly doc: string;
  readonly max: number;
  /** What its names look like; those of all maps are without NUL. */
  readonly names?: { readonly pattern: string; readonly message: string };
};

export function mapOf<Item extends TSchema>(item: Item, { doc, max, names }: MapOptions) {
  return Type.Record(Type.String(), item, {
    description: doc,
    maxProperties: max,
    ...(names && { propertyNames: { pattern: names.pattern }, 'x-names': names.message }),
  });
}

export function objectOf<Fields extends TProperties>(
  fields: Fields,
  doc?: string,
  options: Pick<Keywords, 'setElsewhere'> = {},
) {
  return Type.Object(fields, {
    additionalProperties: false,
    ...(doc !== undefined && { description: doc }),
    ...keywords(options),
  });
}

/** A text, or any JSON object. */
export const textOrObject = (doc: string) =>
  Type.Unsafe<string | object>({ type: ['string', 'object'], description: doc });

/** Any JSON object; what reads it knows more. */
export const anyObject = (doc: string) =>
  Type.Unsafe<object>({ type: ['object'], description: doc });

/** Any JSON at all, bounded in depth and size by the reader. */
export const anything = (doc: string) => Type.Unknown({ description: doc });

type Variants = Record<string, { readonly doc: string; readonly fields: TProperties }>;
type VariantOf<By extends string, All extends Variants> = {
  [Key in keyof All & string]: Static<ReturnType<typeof Type.Object<All[Key]['fields']>>> & {
    [K in By]: Key;
  };
}[keyof All & string];

/** One of several objects. The field `by` decides which, before anything else is read. */
export function variant<const By extends string, All extends Variants>(
  by: By,
  variants: All,
  doc: string,
) {
  const members = Object.entries(variants).map(([value, { doc: description, fields }]) =>
    objectOf({ [by]: Type.Literal(value, { description }), ...fields }),
  );
  return Type.Unsafe<VariantOf<By, All>>({
    anyOf: members,
    description: doc,
    'x-variant': by,
  });
}

export function optional<Field extends TSchema>(field: Field) {
  return Type.Optional(field);
}
