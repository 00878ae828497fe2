// Attributes in Markdown, in the form that the Terraform registry's pages have.
import type { Type } from '../protocol/value.ts';
import type { Attribute } from '../schema.ts';

/** The section of a page; anchors and headings are those that the registry's own tool writes. */
export function schemaSection(attributes: readonly Attribute[]): string {
  return ['## Schema', ...grouped(attributes, [], (title) => `### ${title}`)].join('\n\n');
}

type Path = readonly string[];
type Titled = (title: string) => string;

/** The attributes by who sets them, then each nested one in a section of its own. */
function grouped(attributes: readonly Attribute[], path: Path, titled: Titled): string[] {
  const groups = [
    { title: 'Required', sets: ['required'] },
    { title: 'Optional', sets: ['optional', 'fallback'] },
    { title: 'Read-Only', sets: ['computed'] },
  ].flatMap(({ title, sets }) => {
    const members = attributes.filter(({ set }) => sets.includes(set)).toSorted(byName);
    if (members.length === 0) return [];
    return [titled(title), members.map((each) => line(each, path)).join('\n')];
  });
  return [...groups, ...attributes.toSorted(byName).flatMap((each) => nested(each, path))];
}

const byName = (one: Attribute, other: Attribute) => (one.name < other.name ? -1 : 1);

function line(attribute: Attribute, path: Path): string {
  const { name, description, limits, shape, isSensitive, isWriteOnly } = attribute;
  const marks = [...(isSensitive ? ['Sensitive'] : []), ...(isWriteOnly ? [writeOnlyMark] : [])];
  const kind = [kindOf(shape), ...marks].join(', ');
  const below = `(see [below for nested schema](#${anchor([...path, name])}))`;
  const text = [description, limits && `${limits}.`, 'attributes' in shape && below]
    .filter(Boolean)
    .join(' ');
  return `- \`${name}\` (${kind}) ${text}`.trimEnd();
}

const writeOnlyMark =
  '[Write-only](https://developer.hashicorp.com/terraform/language/resources/ephemeral#write-only-arguments)';

function nested({ name, shape }: Attribute, path: Path): string[] {
  if (!('attributes' in shape)) return [];
  const own = [...path, name];
  const heading = `<a id="${anchor(own)}"></a>\n### Nested Schema for \`${own.join('.')}\``;
  return [heading, ...grouped(shape.attributes, own, (title) => `${title}:`)];
}

const anchor = (path: Path) => ['nestedatt', ...path].join('--');

function kindOf(shape: Attribute['shape']): string {
  if ('type' in shape) return typeName(shape.type);
  return shape.nesting === 'list' ? 'Attributes List' : 'Attributes';
}

const names = { string: 'String', number: 'Number', bool: 'Boolean', dynamic: 'Dynamic' } as const;

export function typeName(type: Type): string {
  if (typeof type === 'string') return names[type];
  switch (type[0]) {
    case 'list':
      return `List of ${typeName(type[1])}`;
    case 'set':
      return `Set of ${typeName(type[1])}`;
    case 'map':
      return `Map of ${typeName(type[1])}`;
    case 'tuple':
      return 'Tuple';
    case 'object':
      return 'Object';
  }
}
