// Requests that break one thing that the document says of one field.
import type { AnyRequest } from './any-request.ts';
import { resolved, type Schema } from './document.ts';

/** One break: where, what it is, and the value with it. */
export type Break = { readonly path: string; readonly what: string; readonly value: unknown };

/** Every break of the value, each alone. */
export function breaksOf(schema: Schema, value: unknown, path = ''): readonly Break[] {
  const whole = resolved(schema);
  if (whole.readOnly) return [];
  return [...own(whole, value, path), ...inner(whole, value, path)];
}

const typesOf = ({ type }: Schema): readonly string[] => [type ?? []].flat();

function own(schema: Schema, value: unknown, path: string): Break[] {
  const at = (what: string, broken: unknown): Break => ({ path, what, value: broken });
  const types = typesOf(schema);
  const { anyOf, pattern, minLength = 0, maxLength, minimum, maximum, minItems, maxItems } = schema;
  if (anyOf) return [at('type', 7.5), ...(allowsNull(schema) ? [] : [at('null', null)])];
  if ('const' in schema || types.length === 0) return [];
  const breaks = [at('type', types.includes('object') ? 'x' : { x: 1 })];
  if (!types.includes('null') && !schema.enum?.includes(null)) breaks.push(at('null', null));
  if (schema.enum) return [...breaks, at('enum', 'no such choice')];
  if (typeof value === 'string') {
    if (pattern !== undefined) breaks.push(at('pattern', '\0'));
    if (pattern !== undefined && !new RegExp(pattern, 'u').test('☃ ☃'))
      breaks.push(at('pattern', '☃ ☃'));
    if (minLength > 0) breaks.push(at('minLength', ''));
    if (maxLength !== undefined && maxLength <= 10_000)
      breaks.push(at('maxLength', 'x'.repeat(maxLength + 1)));
  }
  if (typeof value === 'number' && minimum !== undefined) breaks.push(at('minimum', minimum - 1));
  if (typeof value === 'number' && maximum !== undefined) breaks.push(at('maximum', maximum + 1));
  if (typeof value === 'number') breaks.push(at('integer', 1.5));
  if (Array.isArray(value) && minItems) breaks.push(at('minItems', []));
  if (Array.isArray(value) && maxItems !== undefined && maxItems <= 1_000 && value.length > 0)
    breaks.push(at('maxItems', Array(maxItems + 1).fill(value[0])));
  return breaks;
}

const allowsNull = (schema: Schema): boolean =>
  typesOf(schema).includes('null') || (schema.anyOf?.some((one) => allowsNull(one)) ?? false);

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function inner(schema: Schema, value: unknown, path: string): Break[] {
  if (Array.isArray(value)) {
    const { items = {} } = schema;
    return value.flatMap((one, index) =>
      breaksOf(items, one, `${path}[${index}]`).map((each) => ({
        ...each,
        value: value.with(index, each.value),
      })),
    );
  }
  if (!isFields(value)) return [];
  const shape = schema.anyOf ? shapeOf(schema, value) : schema;
  if (shape?.properties) return innerFields(shape, value, path);
  const { additionalProperties: member } = schema;
  if (typeof member !== 'object') return [];
  return Object.entries(value).flatMap(([name, one]) =>
    breaksOf(member, one, `${path}[${JSON.stringify(name)}]`)
      .filter(({ what }) => what !== 'null')
      .map((each) => ({ ...each, value: { ...value, [name]: each.value } })),
  );
}

function shapeOf(schema: Schema, value: Fields): Schema | undefined {
  const by = schema['x-variant'];
  const shapes = (schema.anyOf ?? []).map(resolved);
  if (by === undefined) return undefined;
  return shapes.find((one) => one.properties?.[by]?.const === value[by]);
}

function innerFields(schema: Schema, value: Fields, path: string): Break[] {
  const { properties = {}, required = [], additionalProperties } = schema;
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  const missing = required.map((name) => {
    const { [name]: _, ...rest } = value;
    return { path: at(name), what: 'required', value: rest };
  });
  const more =
    additionalProperties === false
      ? [{ path: at('zzz'), what: 'additionalProperties', value: { ...value, zzz: 1 } }]
      : [];
  const fields = Object.entries(value).flatMap(([name, one]) =>
    breaksOf(properties[name] ?? {}, one, at(name)).map((each) => ({
      ...each,
      value: { ...value, [name]: each.value },
    })),
  );
  return [...missing, ...more, ...fields];
}

export type BrokenRequest = {
  readonly request: AnyRequest;
  readonly path: string;
  readonly what: string;
};

/** In a large body, counters name nothing. */
const isSmall = ({ request }: BrokenRequest) => JSON.stringify(request.body ?? '').length < 60_000;

/** Every break of a request: of its body, its query and its headers. */
export function brokenRequests(request: AnyRequest): readonly BrokenRequest[] {
  const { operation, body, query, headers } = request;
  const ofBody =
    operation.body === null
      ? []
      : breaksOf(operation.body, body).map(({ path, what, value }) => ({
          path,
          what,
          request: { ...request, body: value },
        }));
  const ofParameters = operation.parameters
    .filter((one) => one.in !== 'path')
    .flatMap(({ in: place, name, schema }) =>
      textBreaks(schema).map(({ what, value }) => ({
        path: name,
        what,
        request:
          place === 'query'
            ? { ...request, query: { ...query, [name]: value } }
            : { ...request, headers: { ...headers, [name]: String(value) } },
      })),
    );
  const unknown = {
    path: 'zzz',
    what: 'unknown parameter',
    request: { ...request, query: { ...query, zzz: '1' } },
  };
  return [...ofBody.filter(isSmall), ...ofParameters, unknown];
}

/** Of a parameter, which is text whatever its type. */
function textBreaks(schema: Schema): readonly Break[] {
  const samples: Readonly<Record<string, unknown>> = { string: 'x', integer: 1, array: ['x'] };
  const sample = samples[typesOf(schema)[0] ?? ''];
  const isSendable = ({ what, value }: Break) =>
    !['type', 'null'].includes(what) && !(typeof value === 'string' && /[^ -~]/.test(value));
  const breaks = own(schema, sample, '').filter(isSendable);
  const item = schema.items ? own(schema.items, 'x', '').filter(isSendable) : [];
  const odd = ['integer', 'boolean'].includes(String(schema.type))
    ? [{ path: '', what: 'type', value: 'no such value' }]
    : [];
  const odder =
    schema.pattern && !new RegExp(schema.pattern, 'u').test('~ ~')
      ? [{ path: '', what: 'pattern', value: '~ ~' }]
      : [];
  return [
    ...breaks.filter(({ value }) => !Array.isArray(value) || value.length > 0),
    ...item,
    ...odd,
    ...odder,
  ];
}
