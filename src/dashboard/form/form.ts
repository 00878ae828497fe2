// The form of a record, read from its declaration: which widget each field has, its label and help.
import type { TSchema } from 'typebox';
import type { Keywords } from '../../resources/declaration/field.ts';
import { isMaskedText } from '../../resources/declaration/references-and-secrets.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import { helpText } from './help.ts';
import { labelOf, unitOf, valueText, variantText } from './labels.ts';
import { words } from './words.ts';

export type Choice = { readonly value: string; readonly text: string };

/** One of several shapes, by the value of the field that tells them apart. */
export type Variant = Choice & { readonly help: string; readonly fields: readonly Field[] };

type TextKind = 'plain' | 'uri' | 'email' | 'time' | 'time-zone' | 'date-time';

type Reference = NonNullable<Keywords['references']>;

export type Widget =
  | { readonly type: 'text'; readonly kind: TextKind; readonly example: string | undefined }
  | { readonly type: 'long-text' }
  | { readonly type: 'secret' }
  | { readonly type: 'number'; readonly unit: string | undefined }
  | { readonly type: 'flag'; readonly isSetByDefault: boolean }
  | { readonly type: 'choice'; readonly choices: readonly Choice[]; readonly fallback?: string }
  /** A list of some of a few values. */
  | { readonly type: 'choices'; readonly choices: readonly Choice[] }
  | ({ readonly type: 'record' } & Reference)
  /** A list of those. */
  | ({ readonly type: 'records' } & Reference)
  | {
      readonly type: 'list';
      readonly member: Widget;
      readonly canBeNull: boolean;
      readonly canBeEmpty: boolean;
    }
  | { readonly type: 'map'; readonly value: Widget }
  | { readonly type: 'object'; readonly fields: readonly Field[] }
  | { readonly type: 'variant'; readonly by: string; readonly variants: readonly Variant[] }
  /** Any JSON, as text. */
  | { readonly type: 'json' };

export type Field = {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly isRequired: boolean;
  readonly widget: Widget;
};

type Schema = TSchema & Readonly<Record<string, unknown>>;
type Properties = Readonly<Record<string, Schema>>;

const known = new WeakMap<Resource, readonly Field[]>();

/** In the order of the declaration; the team is chosen apart from them. */
export function fieldsOf(resource: Resource): readonly Field[] {
  const before = known.get(resource);
  if (before !== undefined) return before;
  const fields = fieldsIn({ ...resource.input }).filter(({ name }) => name !== 'team_id');
  known.set(resource, fields);
  return fields;
}

function fieldsIn(schema: Schema): readonly Field[] {
  const required = (schema['required'] ?? []) as readonly string[];
  return Object.entries(schema['properties'] as Properties).map(([name, property]) =>
    fieldOf(name, property, required.includes(name)),
  );
}

function fieldOf(name: string, schema: Schema, isRequired: boolean): Field {
  const others = (schema['x-terraform'] as Keywords['terraform'])?.others;
  const help = [
    helpText(String(schema['description'] ?? '')),
    schema['type'] === 'boolean' && schema['default'] === true && words.onByDefault,
    schema['x-api-only'] === true &&
      (schema['x-set-elsewhere'] === true ? words.apiOnlyStays : words.apiOnly),
    others !== undefined && words.terraformOthers(others),
  ];
  return {
    name,
    label: labelOf(name),
    help: help.filter(Boolean).join(' '),
    isRequired,
    widget: widgetOf(schema, name),
  };
}

/** The one table of widgets. */
function widgetOf(schema: Schema, name: string): Widget {
  if (schema['x-variant'] !== undefined) return variantOf(schema);
  if (schema['x-nullable'] === true)
    return widgetOf((schema['anyOf'] as Schema[])[0] as Schema, name);
  const values = schema['enum'] as readonly string[] | undefined;
  if (values !== undefined) return choiceOf(values, schema['default']);
  switch (schema['type']) {
    case 'string':
      return textOf(schema);
    case 'integer':
      return { type: 'number', unit: unitOf(name) };
    case 'boolean':
      return { type: 'flag', isSetByDefault: schema['default'] === true };
    case 'array':
      return listOf(schema, name);
    case 'object':
      return schema['properties'] === undefined
        ? mapOf(schema)
        : { type: 'object', fields: fieldsIn(schema) };
    default:
      return { type: 'json' };
  }
}

/** Longer texts than that have several lines. */
const LONG_FROM = 2_048;

function textOf(schema: Schema): Widget {
  const reference = schema['x-references'] as Keywords['references'];
  if (reference !== undefined) return { type: 'record', ...reference };
  if (isMaskedText(schema)) return { type: 'secret' };
  if (Number(schema['maxLength']) > LONG_FROM) return { type: 'long-text' };
  const kind = String(schema['pattern'] ?? '').includes('2[0-3]') ? 'time' : schema['format'];
  return {
    type: 'text',
    kind: (kind ?? 'plain') as TextKind,
    example: schema['x-example'] as string | undefined,
  };
}

function listOf(schema: Schema, name: string): Widget {
  const item = schema['items'] as Schema;
  const canBeNull = item['x-nullable'] === true;
  const member = widgetOf(item, name);
  if (member.type === 'choice') return { type: 'choices', choices: member.choices };
  if (member.type === 'record' && !canBeNull) return { ...member, type: 'records' };
  return { type: 'list', member, canBeNull, canBeEmpty: schema['minItems'] === 0 };
}

function mapOf(schema: Schema): Widget {
  const [value] = Object.values((schema['patternProperties'] ?? {}) as Properties);
  return value === undefined ? { type: 'json' } : { type: 'map', value: widgetOf(value, '') };
}

function variantOf(schema: Schema): Widget {
  const by = String(schema['x-variant']);
  const variants = (schema['anyOf'] as readonly Schema[]).map((shape): Variant => {
    const own = (shape['properties'] as Properties)[by] as Schema;
    const value = String(own['const']);
    return {
      value,
      text: variantText(value),
      help: helpText(String(own['description'] ?? '')),
      fields: fieldsIn(shape).filter((field) => field.name !== by),
    };
  });
  return { type: 'variant', by, variants };
}

const choiceOf = (values: readonly string[], fallback: unknown): Widget => ({
  type: 'choice',
  choices: values.map((value) => ({ value, text: valueText(value) })),
  ...(typeof fallback === 'string' && { fallback }),
});
