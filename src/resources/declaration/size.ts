import type { TSchema } from 'typebox';
import type { Schema } from './validate.ts';

/** A character outside of the basic plane, escaped: `\ud83e\udd89`. */
const CHARACTER_BYTES_MAX = 12;
/** Quotes, a colon and a comma. */
const MARKS = 6;
const NUMBER_BYTES_MAX = 20;
const PATTERNED_BYTES_MAX = 64;

/** The bytes of the largest JSON without blanks that a value of this shape has. */
export function jsonBytesMax(schema: TSchema): number {
  return bytesMax(schema as Schema) + MARKS;
}

function bytesMax(schema: Schema): number {
  const union = schema['anyOf'] as readonly Schema[] | undefined;
  if (union !== undefined) return Math.max(...union.map(bytesMax));
  switch (schema['type']) {
    case 'string':
      return textBytesMax(schema);
    case 'integer':
    case 'number':
    case 'boolean':
    case 'null':
      return NUMBER_BYTES_MAX;
    case 'array':
      return times(schema['maxItems'], bytesMax(schema['items'] as Schema) + MARKS);
    case 'object':
      return objectBytesMax(schema);
    default:
      return 'const' in schema ? PATTERNED_BYTES_MAX : Number.POSITIVE_INFINITY;
  }
}

/** A text with a pattern and no maximum has a fixed length, as ids have. */
function textBytesMax({ maxLength, pattern, enum: choices, ...schema }: Schema): number {
  if (choices !== undefined || 'const' in schema) return PATTERNED_BYTES_MAX;
  if (maxLength === undefined && pattern !== undefined) return PATTERNED_BYTES_MAX;
  return times(maxLength, CHARACTER_BYTES_MAX);
}

function objectBytesMax({ properties, patternProperties, maxProperties }: Schema): number {
  if (properties === undefined) {
    const [item] = Object.values((patternProperties ?? {}) as Record<string, Schema>);
    return item === undefined ? Number.POSITIVE_INFINITY : times(maxProperties, mapped(item));
  }
  const fields = Object.entries(properties as Record<string, Schema>);
  return fields.reduce((sum, [name, one]) => sum + name.length + MARKS + bytesMax(one), MARKS);
}

/** A name of a map is as long as any name. */
const mapped = (item: Schema) => 255 * CHARACTER_BYTES_MAX + MARKS + bytesMax(item);

const times = (count: unknown, bytes: number): number =>
  typeof count === 'number' ? count * bytes : Number.POSITIVE_INFINITY;
