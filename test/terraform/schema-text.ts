import type { Attribute } from '../../src/terraform/schema.ts';

/** Records and their attributes, a line each, as the golden file `schema.txt` has them. */
export function schemaText(records: Readonly<Record<string, readonly Attribute[]>>): string {
  const blocks = Object.entries(records)
    .sort(byName)
    .map(([name, attributes]) => [name, ...lines(attributes, '  ')].join('\n'));
  return `${blocks.join('\n\n')}\n`;
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]) =>
  one < other ? -1 : 1;

function lines(attributes: readonly Attribute[], indent: string): readonly string[] {
  const sorted = attributes.toSorted((one, other) => byName([one.name, 0], [other.name, 0]));
  return sorted.flatMap((attribute) => {
    const { name, set, isSensitive, isWriteOnly, shape, description } = attribute;
    const type = 'type' in shape ? JSON.stringify(shape.type) : `nested ${shape.nesting}`;
    const secret = (isSensitive ? ' sensitive' : '') + (isWriteOnly ? ' write-only' : '');
    const inner = 'attributes' in shape ? lines(shape.attributes, `${indent}  `) : [];
    return [`${indent}${name}: ${type} ${set}${secret}. ${description}`, ...inner];
  });
}
