// The fields of a vendor's settings and secrets, read from its declaration: what a form shows of
// them, and what it sends.

import type { Vendor } from '../../resources/connections/vendor.ts';
import { vendorNamed } from '../../resources/connections/vendors.ts';
import { objectOf } from '../../resources/declaration/field.ts';
import { capitalised } from '../../resources/sentence.ts';
import { helpText } from '../form/help.ts';
import { fieldNames } from './words.ts';

export type DeclaredField = {
  readonly name: string;
  /** As the API names it in its problems. */
  readonly path: `settings.${string}` | `secrets.${string}`;
  readonly label: string;
  readonly help: string;
  readonly type: 'text' | 'number' | 'flag' | 'list' | 'choice';
  readonly isRequired: boolean;
  readonly example: string | undefined;
  /** Of a choice. */
  readonly values: readonly string[];
  /** The value of a choice that is absent; empty: none. */
  readonly fallback: string;
  /** Whether an absent flag counts as set. */
  readonly isSetByDefault: boolean;
};

type Schema = {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly 'x-example'?: string;
  readonly items?: Schema;
};

export const settingFields = (vendor: string) => declared(vendor, 'settings');
export const secretFields = (vendor: string) => declared(vendor, 'secrets');

function declared(name: string, part: 'settings' | 'secrets'): readonly DeclaredField[] {
  const vendor: Vendor | undefined = vendorNamed(name);
  if (vendor === undefined) return [];
  const required: readonly string[] = objectOf(vendor[part]).required ?? [];
  return Object.entries(vendor[part]).map(([field, schema]) =>
    // A schema of TypeBox is JSON Schema.
    fieldOf(
      { name: field, path: `${part}.${field}`, isRequired: required.includes(field) },
      schema,
    ),
  );
}

type Named = Pick<DeclaredField, 'name' | 'path' | 'isRequired'>;

const fieldOf = (named: Named, schema: Schema): DeclaredField => ({
  ...named,
  label: fieldNames[named.name] ?? readable(named.name),
  help: helpText(schema.description ?? ''),
  type: typeOf(schema),
  example: schema['x-example'],
  values: schema.enum ?? [],
  fallback: schema.enum !== undefined ? String(schema.default ?? '') : '',
  isSetByDefault: schema.default === true,
});

function typeOf({ type, enum: values }: Schema): DeclaredField['type'] {
  if (values !== undefined) return 'choice';
  if (type === 'integer') return 'number';
  if (type === 'boolean') return 'flag';
  return type === 'array' ? 'list' : 'text';
}

/** `from_phone` as `From phone`. */
const readable = (name: string): string => capitalised(name).replaceAll('_', ' ');

/** As somebody types it. */
export type Typed = string | boolean;

export function typedOf({ type, fallback, isSetByDefault }: DeclaredField, value: unknown): Typed {
  if (type === 'flag') return (value ?? isSetByDefault) === true;
  if (Array.isArray(value)) return value.join(' ');
  return value === undefined || value === null ? fallback : String(value);
}

/** Null: nothing is set. */
export function sentOf({ type }: DeclaredField, typed: Typed | undefined): unknown {
  if (type === 'flag') return typed === true;
  const text = String(typed ?? '').trim();
  if (text === '') return null;
  if (type === 'list') return text.split(/[\s,;]+/).filter(Boolean);
  // What is no number is sent as it is, and refused at its field.
  return type === 'number' && /^-?\d+$/.test(text) ? Number(text) : text;
}
