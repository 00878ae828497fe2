// What people read of a field, on a form, in OpenAPI and in Terraform's pages.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { records } from '../src/resources/index.ts';
import { override, overrideInput } from '../src/resources/override.ts';
import { retention } from '../src/resources/retention.ts';
import {
  organizationNotifications,
  personalNotifications,
  scheduleNotifications,
} from '../src/resources/shift-notifications.ts';

const LENGTH_MIN = 15;

type Json = Readonly<Record<string, unknown>>;
type Described = { readonly path: string; readonly name: string; readonly text: string };

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

function described(path: string, name: string, { description }: Json): Described {
  return { path, name, text: typeof description === 'string' ? description : '' };
}

/** Every named field and every parameter, at any depth; what is defined elsewhere is read there. */
function fieldsOf(node: unknown, path: string): readonly Described[] {
  if (!isObject(node)) return [];
  const isParameter = 'in' in node && 'schema' in node;
  const own = isParameter ? [described(path, `parameter ${node['name']}`, node)] : [];
  const inner = Object.entries(node).flatMap(([keyword, value]) => {
    if (keyword !== 'properties' || !isObject(value)) return fieldsOf(value, `${path}/${keyword}`);
    return Object.entries(value).flatMap(([name, field]) => {
      if (!isObject(field) || '$ref' in field) return [];
      const at = `${path}.${name}`;
      return [described(at, name, field), ...fieldsOf(field, at)];
    });
  });
  return [...own, ...inner];
}

const forms = {
  ...Object.fromEntries(
    records.flatMap(({ name, input, output }) => [
      [name, input],
      [`${name} as answered`, output],
    ]),
  ),
  retention,
  overrideInput,
  overrideOutput: override.output,
  organizationNotifications,
  personalNotifications,
  scheduleNotifications,
};
const openapi: unknown = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', 'docs', 'openapi.json'), 'utf8'),
);
const documents = {
  'the declarations': Object.entries(forms).flatMap(([name, schema]) => fieldsOf(schema, name)),
  'docs/openapi.json': fieldsOf(openapi, ''),
};

for (const [document, fields] of Object.entries(documents)) {
  test(`${document}: every field has a description that stands alone`, () => {
    assert.ok(fields.length > 100);
    const wrong = fields.filter(({ text }) => text.length < LENGTH_MIN || !text.endsWith('.'));
    const lines = wrong.map(({ path, text }) => `${path}: ${JSON.stringify(text)}`);
    assert.deepEqual(lines, []);
  });

  test(`${document}: fields of different names have different descriptions`, () => {
    const shared = [...Map.groupBy(fields, ({ text }) => text)].flatMap(([text, same]) => {
      const names = new Set(same.map(({ name }) => name.replace('parameter ', '')));
      return names.size > 1 ? [`${[...names].join(', ')}: ${text}`] : [];
    });
    assert.deepEqual(shared, []);
  });
}

test('every route of a server stands in the documents', () => {
  const root = join(import.meta.dirname, '..');
  const listedIn = (file: string) =>
    new Set(readFileSync(join(root, file), 'utf8').match(/(?<=^ {4}(\.\.\.)?)\w+Routes?(?=\()/gm));
  const documented = listedIn('bin/generate.ts');
  const served = [...listedIn('src/server/routes.ts')];
  assert.ok(served.length > 10);
  assert.deepEqual(
    served.filter((maker) => !documented.has(maker)),
    [],
  );
});
