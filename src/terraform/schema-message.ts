// A schema as Terraform's protocol carries it.
import { type attribute, markdown, nesting, type schema } from './protocol/messages.ts';
import type { Draft } from './protocol/protobuf.ts';
import type { Attribute } from './schema.ts';

export function schemaMessage(
  description: string,
  attributes: readonly Attribute[],
): Draft<typeof schema> {
  const block = { attributes: attributes.map(attributeMessage), ...markdownText(description) };
  return { version: 0, block };
}

const markdownText = (description: string) => ({ description, description_kind: markdown });

function attributeMessage(declared: Attribute): Draft<typeof attribute> {
  const { name, description, set, isSensitive, isWriteOnly = false, shape } = declared;
  return {
    name,
    ...markdownText(description),
    required: set === 'required',
    optional: set === 'optional' || set === 'fallback',
    computed: set === 'computed' || set === 'fallback',
    sensitive: isSensitive,
    write_only: isWriteOnly,
    ...('type' in shape
      ? { type: Buffer.from(JSON.stringify(shape.type)) }
      : {
          nested_type: {
            attributes: shape.attributes.map(attributeMessage),
            nesting: nesting[shape.nesting],
          },
        }),
  };
}
