import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TSchema } from 'typebox';
import { records } from './index.ts';
import { overrideInput, overrideOutput } from './override.ts';
import { retention } from './retention.ts';
import {
  organizationNotifications,
  personalNotifications,
  scheduleNotifications,
} from './shift-notifications.ts';

const LENGTH_MIN = 15;

type Described = { readonly path: string; readonly name: string; readonly schema: TSchema };

/** Every named field, at any depth. */
function fieldsOf(schema: unknown, path: string): readonly Described[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, inner]) => {
    if (keyword !== 'properties') return fieldsOf(inner, path);
    return Object.entries(inner as Record<string, TSchema>).flatMap(([name, field]) => {
      const own = `${path}.${name}`;
      return [{ path: own, name, schema: field }, ...fieldsOf(field, own)];
    });
  });
}

const forms = {
  ...Object.fromEntries(
    records.flatMap(({ name, input, output }) => [
      [name, input],
      [`${name} (answered)`, output],
    ]),
  ),
  ...{ retention, overrideInput, overrideOutput, organizationNotifications },
  ...{ personalNotifications, scheduleNotifications },
};
const fields = Object.entries(forms).flatMap(([name, schema]) => fieldsOf(schema, name));
const textOf = ({ schema }: Described) => (schema as { description?: string }).description ?? '';

test('every declared field has a description that stands alone', () => {
  const short = fields.filter((field) => textOf(field).length < LENGTH_MIN);
  assert.deepEqual(
    short.map((field) => `${field.path}: ${textOf(field)}`),
    [],
  );
  const open = fields.filter((field) => !/^[A-Z].*\.$/s.test(textOf(field)));
  assert.deepEqual(
    open.map((field) => `${field.path}: ${textOf(field)}`),
    [],
  );
});

test('no two fields of different names have the same description', () => {
  const byText = Map.groupBy(fields, textOf);
  const shared = [...byText].flatMap(([text, described]) => {
    const names = new Set(described.map(({ name }) => name));
    return names.size > 1 ? [`${[...names].join(', ')}: ${text}`] : [];
  });
  assert.deepEqual(shared, []);
});
