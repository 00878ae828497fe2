// Requests as the document of the API allows them, made up from its schemas alone.
import fc from 'fast-check';
import { misfit, type Operation, type Parameter, resolved, type Schema } from './document.ts';

/** What there is on the server: ids by the kind that a reference or a path names. */
export type Existing = Readonly<Record<string, readonly string[]>>;

export type AnyRequest = {
  readonly operation: Operation;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
};

const MEMBERS_MORE = 2;
const PLAIN = '^[^\\x00]*$';

export function anyRequest(operation: Operation, existing: Existing): fc.Arbitrary<AnyRequest> {
  const of = (place: Parameter['in']) => operation.parameters.filter((one) => one.in === place);
  const { body, bodyIsRequired } = operation;
  return fc.record({
    operation: fc.constant(operation),
    path: pathOf(operation, existing),
    query: parametersOf(of('query'), existing, 3),
    headers: parametersOf(of('header'), existing, 1) as fc.Arbitrary<Record<string, string>>,
    body:
      body === null
        ? fc.constant(undefined)
        : bodyIsRequired
          ? any(body, existing)
          : fc.option(any(body, existing), { nil: undefined }),
  });
}

/** The first id of a path is of what the path begins with, others have the name of their kind. */
function pathOf({ path, parameters }: Operation, existing: Existing) {
  const [, kind = ''] = path.split('/');
  const all = parameters.filter((one) => one.in === 'path');
  const isBelow = all.length > 1;
  const parts = all.map(({ name, schema }) => {
    const of = isBelow && name === 'id' ? `${kind} with parts` : kind;
    const known = existing[name === 'id' ? of : name] ?? [];
    return [name, known.length > 0 ? fc.constantFrom(...known) : any(schema, existing)] as const;
  });
  return fc.record(Object.fromEntries(parts)) as fc.Arbitrary<Record<string, string>>;
}

function parametersOf(
  parameters: readonly Parameter[],
  existing: Existing,
  /** Of ten that leave it away, as many have it. */
  share: number,
): fc.Arbitrary<Record<string, unknown>> {
  const each = parameters.map(({ name, schema, required }) =>
    fc.oneof(
      {
        weight: required ? 1 : share,
        arbitrary: any(schema, existing, name).map((value) => [[name, value] as const]),
      },
      { weight: required ? 0 : 10, arbitrary: fc.constant([]) },
    ),
  );
  return fc.tuple(...each).map((all) => Object.fromEntries(all.flat()));
}

/** Any value that the schema allows. */
export function any(schema: Schema, existing: Existing, name = ''): fc.Arbitrary<unknown> {
  const known = resolved(schema);
  const likely = likelyBy(name, existing).filter((one) => misfit(known, one) === null);
  if (likely.length === 0) return made(known, existing);
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...likely) },
    { weight: 1, arbitrary: made(known, existing) },
  );
}

/** What no schema can say, but a client knows: most requests would get no further without it. */
function likelyBy(name: string, existing: Existing): readonly unknown[] {
  const teams = existing['team'] ?? [];
  const events = existing['event'] ?? [];
  const values: Readonly<Record<string, readonly unknown[]>> = {
    team_id: [...teams, ...teams.map((one) => [one])],
    default_team_id: teams,
    team_ids: teams.map((one) => [one]),
    firing: events,
    recovered: events,
    event_id: events,
    start: ['2090-01-01T00:00:00Z'],
    end: ['2090-02-01T00:00:00Z'],
    from: ['2026-06-01T00:00:00Z'],
    to: ['2026-06-20T00:00:00Z'],
    slug: ['webhook', 'prometheus', 'grafana'],
  };
  return values[name] ?? [];
}

function made(schema: Schema, existing: Existing): fc.Arbitrary<unknown> {
  const { anyOf, type } = schema;
  if (anyOf) return fc.oneof(...anyOf.map((one) => any(one, existing)));
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (Array.isArray(type))
    return fc.oneof(
      ...type.map((one) => ({
        weight: one === 'null' ? 1 : 6,
        arbitrary: made({ ...schema, type: one }, existing),
      })),
    );
  switch (type) {
    case 'string':
      return anyText(schema, existing);
    case 'integer':
      return anyInteger(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return anyList(schema, existing);
    case 'object':
      return anyObject(schema, existing);
    default:
      return anyJson;
  }
}

const anyJson = fc.jsonValue({ maxDepth: 2, stringUnit: 'binary' }).map(withoutNul);

/** Of any text the document says that it has none. */
function withoutNul(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll('\\u0000', ''));
}

function anyInteger(schema: Schema): fc.Arbitrary<number> {
  const { minimum = -1_000, maximum = Number.MAX_SAFE_INTEGER } = schema;
  if (schema['x-references']) return fc.constant(minimum);
  return fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: minimum, max: Math.min(maximum, minimum + 100) }) },
    { weight: 1, arbitrary: fc.integer({ min: minimum, max: maximum }) },
    { weight: 1, arbitrary: fc.constantFrom(minimum, maximum) },
  );
}

function anyList(schema: Schema, existing: Existing): fc.Arbitrary<unknown> {
  const { items = {}, minItems = 0, maxItems = 1_000, uniqueItems } = schema;
  const limits = {
    minLength: minItems,
    maxLength: Math.min(maxItems, Math.max(1, minItems) + MEMBERS_MORE),
  };
  return uniqueItems
    ? fc.uniqueArray(any(items, existing), { ...limits, comparator: 'SameValue' })
    : fc.array(any(items, existing), limits);
}

function anyObject(schema: Schema, existing: Existing): fc.Arbitrary<unknown> {
  const { properties, required = [], additionalProperties } = schema;
  if (properties !== undefined) {
    const fields = Object.entries(properties).map(
      ([name, one]) => [name, any(one, existing, name)] as const,
    );
    return fc.record(Object.fromEntries(fields), { requiredKeys: [...required] });
  }
  if (typeof additionalProperties !== 'object') return fc.constant({});
  const name = any({ type: 'string', maxLength: 20, ...schema.propertyNames }, existing);
  const maxKeys = Math.min(schema.maxProperties ?? MEMBERS_MORE, MEMBERS_MORE);
  // Whatever a pattern may be, it makes text.
  return fc.dictionary(name as fc.Arbitrary<string>, any(additionalProperties, existing), {
    maxKeys,
  });
}

const formats: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'time-zone': fc.constantFrom('Europe/Berlin', 'Asia/Kathmandu', 'Etc/UTC', 'america/new_york'),
  'date-time': fc.constantFrom(
    ...['2026-01-31T09:00:00Z', '2031-12-31t23:59:59.123456789z', '2090-06-01T00:00:00+02:00'],
  ),
  email: fc.constantFrom('someone@example.test', 'a+b@example.test', "o'neill@xn--bcher-kva.test"),
  uri: fc.oneof(
    fc.constantFrom('https://example.test/a?b=c#d', 'HTTP://example.test'),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
  ),
};

function anyText(schema: Schema, existing: Existing): fc.Arbitrary<string> {
  const { format = '', pattern, minLength = 0, maxLength = 255, allOf = [] } = schema;
  const referred = existing[schema['x-references']?.to ?? ''] ?? [];
  if (referred.length > 0) return fc.constantFrom(...referred);
  const all = [pattern, ...allOf.map((one) => one.pattern)].flatMap((one) => one ?? []);
  const fits = (text: string) => {
    const length = [...text].length;
    const isLong = length >= minLength && length <= maxLength;
    return isLong && all.every((one) => new RegExp(one, 'u').test(text));
  };
  const byFormat = formats[format];
  if (byFormat) return byFormat.filter(fits);
  if (pattern === undefined || pattern === PLAIN) return anyPlainText(minLength, maxLength);
  // Looking ahead is left to the filter; and else hardly any text would be long enough.
  const counted = pattern
    .replaceAll(/\(\?[=!][^)]*\)/g, '')
    .replace(/[*+]\$$/, `{${minLength},${minLength + 12}}$`);
  return fc.stringMatching(new RegExp(counted), { size: '+1' }).filter(fits);
}

function anyPlainText(minLength: number, maxLength: number): fc.Arbitrary<string> {
  const unit = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 1 })
    .filter((one) => one !== '\0');
  const short = fc.array(fc.oneof(unit, fc.constantFrom('a', ' ', 'ß', '{', '/', '-')), {
    minLength,
    maxLength: Math.min(maxLength, minLength + 12),
  });
  // A body of several of the longest stays small: in a large one, counters name nothing.
  const length = Math.min(maxLength, 10_000);
  const longest = fc.constant(Array<string>(length).fill(length > 1_000 ? 'x' : '🦉'));
  const words = fc.constantFrom('Disk full', 'a name', 'x').map((word) => [...word]);
  return fc
    .oneof(
      { weight: 6, arbitrary: short },
      { weight: 5, arbitrary: words },
      { weight: 1, arbitrary: longest },
    )
    .map((all) => all.join(''))
    .filter((text) => [...text].length >= minLength && [...text].length <= maxLength);
}

/** Fails where the generator itself makes what the schema does not allow. */
export function assertAllowed({ operation, body }: AnyRequest): void {
  if (operation.body === null || body === undefined) return;
  const problem = misfit(operation.body, body);
  if (problem !== null)
    throw new Error(`${operation.method} ${operation.path}: the generator made ${problem}`);
}
