// What strangers, broken tools and attackers send.
import fc from 'fast-check';

export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly 'x-references'?: { readonly to: string };
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
};

export type Known = {
  readonly schemas: Readonly<Record<string, Schema>>;
  /** Ids that exist, by the path of their kind. */
  readonly ids: Readonly<Record<string, readonly string[]>>;
};

const ITEMS_MAX = 3;

const oddTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\u202eabc',
  '👩‍🚒'.repeat(20),
  '__proto__',
  'constructor',
  '-1',
  '1',
  '2147483648',
  '99999999999999999999999',
  '0'.repeat(24),
  'f'.repeat(24),
  "'; drop table users --",
  '{{title}} $(title) %s %n',
  '2026-02-30T00:00:00Z',
  '2026-01-31T09:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '-271821-04-19T23:59:59.999Z',
  '24:00',
  'Europe/Berlin',
  'Etc/Unknown',
  'http://[::1',
  'https://example.test/a?b=c#d',
  'someone@example.test',
  '(a+)+$',
  'x'.repeat(10_001),
];

export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...oddTexts),
  fc.string({ unit: 'binary', maxLength: 30 }),
);

const anyNumber = fc.constantFrom(
  0,
  -0,
  -1,
  1,
  1,
  5,
  60,
  0.5,
  1e21,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1441,
);

/** Mostly of the right shape, with some leaves that are not. */
export function anyBody(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  const right = shaped(schema, known);
  return fc.oneof({ weight: 40, arbitrary: right }, { weight: 1, arbitrary: fc.jsonValue() });
}

function shaped(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) {
    const named = known.schemas[schema.$ref.split('/').at(-1) ?? ''];
    return named ? shaped(named, known) : fc.jsonValue();
  }
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => anyBody(one, known)));
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const [type, ...others] = [schema.type].flat();
  if (others.length > 0)
    return fc.oneof(
      { weight: 9, arbitrary: shaped({ ...schema, ...(type && { type }) }, known) },
      { weight: 1, arbitrary: fc.constant(null) },
    );
  switch (type) {
    case 'string':
      return fc.oneof(
        { weight: 9, arbitrary: rightText(schema, known) },
        { weight: 1, arbitrary: anyText },
      );
    case 'integer':
    case 'number':
      return anyNumber;
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(anyBody(schema.items ?? {}, known), { maxLength: ITEMS_MAX });
    default:
      return anyObject(schema, known);
  }
}

const rightTexts: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2026-01-31T09:00:00Z', '9999-12-31T23:59:59.999+01:00'],
  email: ['someone@example.test', 'a+b@example.test'],
  'time-zone': ['Europe/Berlin', 'Asia/Kathmandu'],
  uri: ['https://example.test/a?b=c#d', 'http://127.0.0.1:1/'],
};

const kindPaths: Readonly<Record<string, string>> = {
  service: 'services',
  escalation_policy: 'escalation-policies',
  integration: 'integrations',
  outbound_webhook: 'outbound-webhooks',
  user: 'users',
};

function rightText(schema: Schema, { ids }: Known): fc.Arbitrary<string> {
  const { format, pattern } = schema;
  const referred = ids[kindPaths[schema['x-references']?.to ?? ''] ?? ''];
  if (referred) return fc.constantFrom(...referred);
  const named = rightTexts[format ?? ''];
  if (named) return fc.constantFrom(...named);
  if (pattern?.includes('{24}')) return fc.constantFrom(...Object.values(ids).flat());
  if (pattern?.includes('2[0-3]')) return fc.constantFrom('00:00', '08:30');
  return fc.oneof(fc.constantFrom('a name', 'another'), anyText);
}

function anyObject({ properties = {}, required = [] }: Schema, known: Known) {
  const fields = Object.entries(properties).map(
    ([name, field]) => [name, anyBody(field, known)] as const,
  );
  const right = fc.record(Object.fromEntries(fields), {
    requiredKeys: required.filter((name) => name in properties),
  });
  const more = fc.dictionary(anyText, fc.jsonValue(), { maxKeys: 1 });
  return fc.oneof(
    { weight: 8, arbitrary: right },
    { weight: 1, arbitrary: fc.tuple(right, more).map(([one, other]) => ({ ...one, ...other })) },
  );
}

/** What a URL may hold in one of its places, well encoded or not. */
export const anyPart = (known: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...known) },
    { weight: 2, arbitrary: anyText.map((text) => encodeURIComponent(text.toWellFormed())) },
    { weight: 1, arbitrary: fc.constantFrom('%', '%ff', '%2f..%2f', '..', '%00', '%e0%a4') },
  );

const queryNames = ['limit', 'cursor', 'archived', 'name', 'status', 'team_id', 'from', 'x', '%'];

export const anyQuery = (known: readonly string[]): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(fc.constantFrom(...queryNames), anyPart(known)), { maxLength: 3 })
    .map((pairs) => (pairs.length > 0 ? `?${pairs.map((pair) => pair.join('=')).join('&')}` : ''));

const headerNames = [
  'if-match',
  'idempotency-key',
  'x-team-id',
  'x-managed-by',
  'x-request-id',
  'authorization',
  'cookie',
  'origin',
  'accept',
  'x-forwarded-for',
];

const anyHeaderText = fc.oneof(
  fc.constantFrom('"1"', '*', '0', '-1', '9'.repeat(30), 'Bearer ', 'a=b; c', 'x'.repeat(300)),
  fc.string({ maxLength: 20 }),
);

export const anyHeaders: fc.Arbitrary<Record<string, string>> = fc.dictionary(
  fc.constantFrom(...headerNames),
  anyHeaderText,
  { maxKeys: 2 },
);

export const anyContentType: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constant('application/json') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'application/merge-patch+json',
      'application/json; charset=utf-16',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain',
      ';',
      '',
    ),
  },
);

/** Bytes with some of them changed, cut or doubled. */
export function mutated(seeds: readonly string[]): fc.Arbitrary<Uint8Array> {
  const changes = fc.array(
    fc.record({ at: fc.nat(2_000), byte: fc.nat(255), cut: fc.nat(3), doubled: fc.boolean() }),
    { maxLength: 5 },
  );
  return fc.tuple(fc.constantFrom(...seeds), changes).map(([seed, made]) => {
    let bytes = Buffer.from(seed);
    for (const { at, byte, cut, doubled } of made) {
      const index = bytes.length === 0 ? 0 : at % bytes.length;
      const end = bytes.subarray(index + cut);
      bytes = Buffer.concat([
        bytes.subarray(0, index),
        Buffer.of(byte),
        end,
        doubled ? end : Buffer.of(),
      ]);
    }
    return bytes;
  });
}
