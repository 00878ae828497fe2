// The schema of what clients send, for the document: what the reader of bodies accepts, said in JSON
// Schema alone. Null is absence, records can be named by their counters, and what a client read
// before it may send back.
import type { TSchema } from 'typebox';
import { COUNTER, ID } from '../../resources/declaration/field.ts';
import { formatPatterns, type Schema, textPattern } from '../../resources/declaration/validate.ts';

type Json = Record<string, unknown>;

export type SentOptions = {
  /** A patch names some fields; what is required is never removed by it. */
  readonly isPatch?: boolean;
  /** Stands for a schema that is written elsewhere. */
  readonly shared?: (schema: TSchema) => Json | undefined;
};

export function asSent(schema: TSchema, options: SentOptions = {}): Json {
  return options.shared?.(schema) ?? written(schema as Schema, options);
}

function written(schema: Schema, options: SentOptions): Json {
  const { anyOf, type } = schema as { anyOf?: readonly Schema[]; type?: string };
  if (schema['x-nullable'] === true)
    return orNull(asSent((anyOf as readonly [Schema])[0], options));
  if (anyOf !== undefined)
    return { ...plain(schema), anyOf: anyOf.map((one) => asSent(one, options)) };
  switch (type) {
    case 'string':
      return textAsSent(schema);
    case 'array':
      return {
        ...plain(schema),
        items: asSent(schema['items'] as Schema, { ...options, isPatch: false }),
      };
    case 'object':
      return schema['properties'] ? fieldsAsSent(schema, options) : mapAsSent(schema, options);
    default:
      return plain(schema);
  }
}

/** As plain JSON, without the hidden properties of the schema library. */
export const plain = (schema: TSchema): Json => JSON.parse(JSON.stringify(schema));

function fieldsAsSent(schema: Schema, options: SentOptions): Json {
  const properties = schema['properties'] as Record<string, Schema>;
  const required = (schema['required'] ?? []) as readonly string[];
  const { required: _, ...rest } = plain(schema);
  const fields = Object.entries(properties).map(([name, field]) => {
    const one = asSent(field, options);
    return [name, required.includes(name) ? one : orNull(one)];
  });
  return {
    ...rest,
    ...(required.length > 0 && !options.isPatch && { required }),
    properties: Object.fromEntries(fields),
  };
}

function mapAsSent(schema: Schema, options: SentOptions): Json {
  const {
    patternProperties,
    'x-names': _,
    ...rest
  } = schema as Schema & {
    patternProperties?: Record<string, Schema>;
  };
  const [item] = Object.values(patternProperties ?? {});
  if (item === undefined) return plain(schema);
  return {
    ...plain(rest as TSchema),
    propertyNames: rest['propertyNames'] ?? { pattern: textPattern },
    additionalProperties: orNull(asSent(item, options)),
  };
}

function textAsSent(schema: Schema): Json {
  const text = plain(schema);
  if ('enum' in schema || 'const' in schema) return text;
  const {
    'x-references': references,
    format,
    pattern,
  } = schema as {
    'x-references'?: { readonly to: string };
    format?: keyof typeof formatPatterns;
    pattern?: string;
  };
  if (references !== undefined) return referenceAsSent(text, references.to);
  const ofFormat = (format && formatPatterns[format]) ?? textPattern;
  if (pattern === undefined) return { ...text, pattern: ofFormat };
  return format === undefined ? text : { ...text, allOf: [{ pattern: ofFormat }] };
}

/** The largest that the database has. */
const LAST_COUNTER = 2_147_483_647;

/** By its id; by its counter, as a number or as text; a person by the e-mail address. */
function referenceAsSent(text: Json, to: string): Json {
  if (to === 'team') return text;
  if (to === 'user') {
    const address = formatPatterns.email.replace(/^\^/, '').replace(/\$$/, '');
    return { ...text, pattern: `^(?:${ID}|${address})$` };
  }
  return {
    ...text,
    type: ['string', 'integer'],
    pattern: `^(?:${ID}|${COUNTER})$`,
    minimum: 1,
    maximum: LAST_COUNTER,
  };
}

function orNull(schema: Json): Json {
  const { type, enum: choices, anyOf } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  if (type === undefined && '$ref' in schema) return { anyOf: [schema, { type: 'null' }] };
  if (type === undefined || 'const' in schema) return schema;
  return {
    ...schema,
    type: [type, 'null'].flat(),
    ...(Array.isArray(choices) && { enum: [...choices, null] }),
  };
}

/** Adds what a client may send back of an answer; whatever it is, it is ignored. */
export function withIgnored(sent: Json, ignored: readonly string[], answered: TSchema): Json {
  if ('anyOf' in sent)
    return {
      ...sent,
      anyOf: (sent['anyOf'] as Json[]).map((one) => withIgnored(one, ignored, answered)),
    };
  const properties = (sent['properties'] ?? {}) as Json;
  const known = (answered as Schema)['properties'] as Record<string, Schema> | undefined;
  const added = ignored.flatMap((name) => {
    const field = known?.[name];
    if (field === undefined || name in properties) return [];
    return [[name, { description: field['description'], readOnly: true }]];
  });
  return { ...sent, properties: { ...properties, ...Object.fromEntries(added) } };
}
