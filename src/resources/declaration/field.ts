// The few shapes every declaration is made of: thin wrappers over TypeBox, so that a declaration
// reads as prose, is JSON Schema as it stands, and gives its TypeScript type by inference.
// Facts that JSON Schema lacks ride on it as `x-` keywords (see Keywords).
import type { Static, TProperties, TSchema } from 'typebox';
// Not its default export, with which all of TypeBox would be in the Terraform provider.
import * as Type from 'typebox';
import { queryLimits } from '../../limits/queries.ts';
import type { Sealed } from './sealed.ts';

/** What a field may say beyond its shape; each becomes an `x-` keyword. */
export type Keywords = {
  /** Encrypted at rest; masked for readers who may not read secrets. */
  readonly sensitive?: boolean;
  /** The record the id points to, and whether it must be of the same team. */
  readonly references?: { readonly to: string; readonly within: 'team' | 'organization' };
  /** Values that Terraform accepts, when they are fewer than the API's; what the others are for. */
  readonly terraform?: { readonly values: readonly string[]; readonly others: string };
  /** Cannot be expressed in Terraform: dashboard and API only. */
  readonly apiOnly?: boolean;
};

type Said = { readonly doc: string } & Keywords;

function keywords(said: Keywords): Record<string, unknown> {
  return {
    ...(said.sensitive && { 'x-sensitive': true }),
    ...(said.references && { 'x-references': said.references }),
    ...(said.terraform && { 'x-terraform': said.terraform }),
    ...(said.apiOnly && { 'x-api-only': true }),
  };
}

type TextSaid = Said & {
  readonly min?: number;
  readonly max?: number;
  readonly format?: 'uri' | 'email' | 'time-zone' | 'date-time';
  readonly pattern?: string;
  readonly default?: string;
};

/** Kept exactly as sent. */
export function text(said: TextSaid) {
  return Type.String({
    description: said.doc,
    minLength: said.min ?? 0,
    maxLength: said.max ?? queryLimits.textLength,
    ...(said.format && { format: said.format }),
    ...(said.pattern && { pattern: said.pattern }),
    ...(said.default !== undefined && { default: said.default }),
    ...keywords(said),
  });
}

/** A sensitive text; as it is kept, it is sealed. */
export const secret = (said: TextSaid) =>
  Type.Unsafe<string | Sealed>(text({ ...said, sensitive: true }));

export const name = (doc: string) => text({ doc, min: 1 });
/** Of what it is a note: `service`. */
export const description = (what: string) =>
  optional(
    text({
      doc: `A note for the people who manage this ${what}; it changes nothing else.`,
      max: 10_000,
    }),
  );

export function id(doc: string, references?: Keywords['references']) {
  return Type.String({
    description: doc,
    pattern: '^[0-9a-f]{24}$',
    ...keywords(references ? { references } : {}),
  });
}

export const localTime = (doc: string) =>
  text({ doc, max: 5, pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' });
export const zone = (doc: string, fallback?: string) =>
  text({ doc, format: 'time-zone', ...(fallback !== undefined && { default: fallback }) });

const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
export const weekday = (doc: string) => choice(weekdays, { doc });

type NumberSaid = Said & { readonly min: number; readonly max: number };

export function wholeNumber(said: NumberSaid) {
  return Type.Integer({ description: said.doc, minimum: said.min, maximum: said.max });
}

export function flag(said: Said & { readonly default?: boolean }) {
  return Type.Boolean({
    description: said.doc,
    ...(said.default !== undefined && { default: said.default }),
  });
}

export function choice<const Values extends readonly string[]>(
  values: Values,
  said: Said & { readonly default?: Values[number] },
) {
  return Type.Unsafe<Values[number]>({
    type: 'string',
    enum: values,
    description: said.doc,
    ...(said.default !== undefined && { default: said.default }),
    ...keywords(said),
  });
}

type ListSaid = { readonly doc: string; readonly min?: number; readonly max: number };

export function listOf<Item extends TSchema>(item: Item, said: ListSaid) {
  return Type.Array(item, {
    description: said.doc,
    minItems: said.min ?? 1,
    maxItems: said.max,
  });
}

/** A list whose members may be null, where null says something of its own (a turn with nobody). */
export function listOfNullable<Item extends TSchema>(item: Item, said: ListSaid) {
  return listOf(Type.Union([item, Type.Null()], { 'x-nullable': true }), said);
}

export function mapOf<Item extends TSchema>(item: Item, said: { doc: string; max: number }) {
  return Type.Record(Type.String(), item, { description: said.doc, maxProperties: said.max });
}

export function objectOf<Fields extends TProperties>(fields: Fields, doc?: string) {
  return Type.Object(fields, {
    additionalProperties: false,
    ...(doc !== undefined && { description: doc }),
  });
}

/** Any JSON at all, bounded in depth and size by the reader. */
export const anything = (doc: string) => Type.Unknown({ description: doc });

type Variants = Record<string, { readonly doc: string; readonly fields: TProperties }>;
type VariantOf<By extends string, All extends Variants> = {
  [Key in keyof All & string]: Static<ReturnType<typeof Type.Object<All[Key]['fields']>>> & {
    [K in By]: Key;
  };
}[keyof All & string];

/** One of several objects, told apart by the field `by` before anything else is looked at. */
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
