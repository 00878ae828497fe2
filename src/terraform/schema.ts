// What a declared record is to Terraform: its attributes, their types, and who sets them.
import type { TSchema } from 'typebox';
import type { Keywords } from '../resources/declaration/field.ts';
import type { Resource } from '../resources/declaration/resource.ts';
import type { Type } from './protocol/value.ts';

export type Attribute = {
  readonly name: string;
  readonly description: string;
  /** How great or how long it may be, for its page: `1 to 255 characters`. */
  readonly limits?: string | undefined;
  /** `fallback`: the user may set it, and otherwise the service, others or its declaration do. */
  readonly set: 'required' | 'optional' | 'fallback' | 'computed';
  /** What its declaration sets, if it does. */
  readonly default?: Default;
  /** Its default is for a new record only: later, what is not configured stays as it is. */
  readonly isSetElsewhere?: boolean;
  readonly isSensitive: boolean;
  /** Of a map: its values are masked for keys that may not read secrets. */
  readonly hasMaskedValues?: true;
  readonly shape: Shape;
  /** Of a secret: the attributes beside it by which nothing of it is stored. */
  readonly writeOnly?: { readonly value: string; readonly version: string };
  /** Terraform has it while it runs, from the configuration, and stores it nowhere. */
  readonly isWriteOnly?: true;
  /** Each write changes it. */
  readonly countsWrites?: true;
  /** Of what no answer has: the attribute with its last characters. */
  readonly endIn?: string;
  /** A secret that only the answer to a creation has: later ones leave it as it is. */
  readonly isOnce?: true;
  /** The secret that is sent again when this changes. */
  readonly versionOf?: string;
  /** The secret of the service that becomes another one when this changes. */
  readonly rotates?: string;
};

/** A number that only says that it changed: whole, and not negative. */
export const isVersion = ({ versionOf, rotates }: Attribute): boolean =>
  versionOf !== undefined || rotates !== undefined;

type Default = boolean | number | string | readonly [];

/** A type, or attributes of its own: of one object or of each in a list. */
type Shape =
  | { readonly type: Type }
  | { readonly nesting: 'single' | 'list'; readonly attributes: readonly Attribute[] };

// Declarations are TypeBox, which is JSON Schema with keywords of our own; here it is read as such.
export type Field = TSchema & Readonly<Record<string, unknown>>;
export type Fields = Readonly<Record<string, Field>>;

/** Kept apart from the state: Terraform users have no use for them, and they change by themselves. */
const unshown = [
  ...['version', 'created_at', 'updated_at', 'archived_at', 'managed_by'],
  ...['previous_token_expires_at', 'last_used_at'],
];

export function resourceAttributes(resource: Resource): readonly Attribute[] {
  const { input, output, rotates, isSingleton, secretOnce } = resource;
  const inputs = input.properties as Fields;
  const added = Object.entries(output.properties as Fields).filter(
    ([name]) => !Object.hasOwn(inputs, name) && !unshown.includes(name),
  );
  return [
    ...added
      .map(([name, field]) => attributeOf(name, field, 'computed'))
      .map((one) => (one.name === secretOnce ? { ...one, isOnce: true as const } : one)),
    ...objectAttributes(input).map((attribute) =>
      // The provider's or the key's own team, when none is given; what others set of a singleton.
      (attribute.name === 'team_id' && resource.isOfTeam) || isSingleton
        ? { ...attribute, set: 'fallback' as const }
        : attribute,
    ),
    ...(rotates === '' ? [] : [rotationOf(rotates)]),
  ];
}

/** Whether the API knows it, and clients send it. */
export const isSent = ({ set, rotates }: Attribute): boolean =>
  set !== 'computed' && rotates === undefined;

const versionLimits = 'A whole number of at least 0';

const rotationOf = (secret: string): Attribute => ({
  name: `${secret}_version`,
  description: `When this number changes, the ${secret} is rotated in place. Setting it for the first time or removing it does not rotate the ${secret}.`,
  limits: versionLimits,
  set: 'optional',
  isSensitive: false,
  shape: { type: 'number' },
  rotates: secret,
});

export function objectAttributes(schema: TSchema): readonly Attribute[] {
  const { required, properties } = schema as Field;
  const names = (required ?? []) as readonly string[];
  return Object.entries(properties as Fields)
    .filter(([, field]) => field['x-api-only'] !== true)
    .flatMap(([name, field]) => {
      const isLeft = 'default' in field || field['x-set-elsewhere'] === true;
      const optional = isLeft ? 'fallback' : 'optional';
      const set = names.includes(name) ? 'required' : optional;
      const attribute = attributeOf(name, field, set);
      const unanswered = field['x-unanswered'] as Keywords['unanswered'];
      if (unanswered !== undefined) return [onlyWritten(attribute, unanswered.endIn)];
      return field['x-write-only'] === true ? withWriteOnly(attribute) : [attribute];
    });
}

/** A diff of how it ends tells that another one is configured. */
const onlyWritten = (attribute: Attribute, endIn: string): Attribute => ({
  ...attribute,
  description: `${attribute.description} It is stored neither in plans nor in the state. Terraform detects a different value by its last characters, in \`${endIn}\`.`,
  isSensitive: false,
  isWriteOnly: true,
  endIn,
});

/** Whether one of the two is there is for `validate` to say: Terraform knows no such rule. */
function withWriteOnly(secret: Attribute): readonly Attribute[] {
  const { name, shape } = secret;
  const [value, version] = [`${name}_wo`, `${name}_wo_version`];
  return [
    { ...secret, set: 'optional', writeOnly: { value, version } },
    {
      name: value,
      description: `Use this instead of \`${name}\` to keep the value out of plans and the state. Requires \`${version}\`.`,
      // Terraform shows nothing of it anyhow, and takes its time for what is nested and sensitive.
      set: 'optional',
      isSensitive: false,
      shape,
      isWriteOnly: true,
    },
    {
      name: version,
      description: `A version number for \`${value}\`. When it changes, \`${value}\` is sent again.`,
      limits: versionLimits,
      set: 'optional',
      isSensitive: false,
      shape: { type: 'number' },
      versionOf: name,
    },
  ];
}

function attributeOf(name: string, field: Field, set: Attribute['set']): Attribute {
  const isSensitive = field['x-sensitive'] === true;
  const attribute = {
    name,
    description: described(field),
    limits: limitsOf(field),
    set,
    isSensitive,
    shape: shapeOf(field),
    ...(field['x-counts-writes'] === true && { countsWrites: true as const }),
    ...(valueSchemaOf(field)?.['x-masked'] === true && { hasMaskedValues: true as const }),
  };
  if (!('default' in field)) return attribute;
  const byDefault = { ...attribute, default: field['default'] as Default };
  return field['x-set-elsewhere'] === true ? { ...byDefault, isSetElsewhere: true } : byDefault;
}

/** Of a map. */
const valueSchemaOf = (field: Field): Field | undefined =>
  Object.values((field['patternProperties'] ?? {}) as Fields)[0];

function described(field: Field): string {
  const fewer = field['x-terraform'] as Keywords['terraform'];
  const choices = fewer?.values ?? (field['enum'] as readonly string[] | undefined);
  const isSetElsewhere = field['x-set-elsewhere'] === true;
  const byDefault = 'default' in field && `Default: ${quoted(field['default'])}.`;
  return [
    field['description'],
    choices && oneOf(choices),
    fewer && `${fewer.others}.`,
    isSetElsewhere ? 'Terraform does not change it if it is not configured.' : byDefault,
  ]
    .filter(Boolean)
    .join(' ');
}

const quoted = (value: unknown) => `\`${value}\``;
const oneOf = (values: readonly string[]) => `One of ${values.map(quoted).join(', ')}.`;

function limitsOf(field: Field): string | undefined {
  const { minimum, maximum, minItems, maxItems, maxProperties } = field;
  if (maximum !== undefined) return `${minimum} to ${maximum}`;
  if (maxItems !== undefined) return between(minItems, maxItems, 'members');
  if (maxProperties !== undefined) return between(0, maxProperties, 'members');
  // A pattern, or a format, says how long it is.
  const isFree = field['pattern'] === undefined && field['format'] !== 'time-zone';
  if (isFree && field['maxLength'] !== undefined)
    return between(field['minLength'], field['maxLength'], 'characters');
  return undefined;
}

const between = (least: unknown, most: unknown, what: string) =>
  least === 0 ? `At most ${most} ${what}` : `${least} to ${most} ${what}`;

function shapeOf(field: Field): Shape {
  if (field['x-nullable'] === true) return shapeOf((field['anyOf'] as readonly Field[])[0] ?? {});
  if (field['x-variant'] !== undefined)
    return { nesting: 'single', attributes: variantAttributes(field) };
  switch (field['type']) {
    case 'string':
      return { type: 'string' };
    case 'integer':
      return { type: 'number' };
    case 'boolean':
      return { type: 'bool' };
    case 'array':
      return listShape(shapeOf(field['items'] as Field), field['x-set'] === true);
    case 'object':
      return field['properties'] === undefined
        ? mapShape(shapeOf(valueSchemaOf(field) ?? {}))
        : { nesting: 'single', attributes: objectAttributes(field) };
    default:
      throw new Error(`Terraform has no shape for ${JSON.stringify(field)}`);
  }
}

function listShape(item: Shape, isSet: boolean): Shape {
  if ('type' in item) return { type: [isSet ? 'set' : 'list', item.type] };
  return { nesting: 'list', attributes: item.attributes };
}

function mapShape(item: Shape): Shape {
  if ('type' in item) return { type: ['map', item.type] };
  throw new Error('no record has a map of objects');
}

/** One object with the fields of all variants: Terraform cannot tell them apart by a value. */
function variantAttributes(field: Field): readonly Attribute[] {
  const by = field['x-variant'] as string;
  const members = (field['anyOf'] as readonly Field[]).map((member) => {
    const { [by]: discriminator, ...own } = member['properties'] as Fields;
    return { value: String(discriminator?.['const']), own };
  });
  const names = new Set(members.flatMap(({ own }) => Object.keys(own)));
  const merged = [...names].map((name) => {
    const uses = members.flatMap(({ value, own }) =>
      own[name] ? [{ value, attribute: attributeOf(name, own[name], 'optional') }] : [],
    );
    return mergedAttribute(by, uses);
  });
  const values = members.map(({ value }) => value);
  const discriminator = { description: oneOf(values), type: 'string' };
  return [attributeOf(by, discriminator, 'required'), ...merged];
}

type Use = { readonly value: string; readonly attribute: Attribute };

function mergedAttribute(by: string, uses: readonly Use[]): Attribute {
  const [first, ...others] = uses.map(({ attribute }) => attribute);
  if (first === undefined) throw new Error('a field of a variant is used nowhere');
  for (const { name, shape } of others) {
    if (JSON.stringify(shape) !== JSON.stringify(first.shape))
      throw new Error(`${name} has not the same shape in all variants`);
  }
  const isAlike = others.every(({ limits }) => limits === first.limits);
  const textOf = ({ description, limits }: Attribute) =>
    isAlike || limits === undefined ? description : `${description} ${limits}.`;
  const texts = [...new Set(uses.map(({ attribute }) => textOf(attribute)))];
  const sentences = texts.map((text) => {
    const same = uses.filter(({ attribute }) => textOf(attribute) === text);
    return `With ${by} ${same.map(({ value }) => quoted(value)).join(', ')}: ${text}`;
  });
  const limits = isAlike ? first.limits : undefined;
  return { ...first, limits, description: sentences.join(' ') };
}

/** The type of an object with these attributes. */
export function objectType(attributes: readonly Attribute[]): Type {
  return ['object', Object.fromEntries(attributes.map(({ name, shape }) => [name, typeOf(shape)]))];
}

function typeOf(shape: Shape): Type {
  if ('type' in shape) return shape.type;
  const type = objectType(shape.attributes);
  return shape.nesting === 'list' ? ['list', type] : type;
}
