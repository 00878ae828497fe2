// What records are called in a configuration, after the names that people gave them.

const LENGTH_MAX = 60;

// Words of the language, and names that Terraform keeps to itself.
const reserved = new Set([
  ...['count', 'data', 'each', 'else', 'endfor', 'endif', 'false', 'for', 'for_each', 'if', 'in'],
  ...['lifecycle', 'local', 'locals', 'module', 'null', 'path', 'provider', 'providers'],
  ...['resource', 'self', 'source', 'terraform', 'true', 'var', 'version', 'depends_on'],
]);

/** Lowercase letters, digits and underscores: `Café #1` is `cafe_1`. */
export function localName(text: string, kind: string): string {
  const name = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_/, '')
    .slice(0, LENGTH_MAX)
    .replace(/_$/, '');
  if (name === '') return kind;
  return /^[0-9]/.test(name) || reserved.has(name) ? `${kind}_${name}` : name;
}

/** Names of one kind, no two alike: whoever comes second gets its own suffix. */
export function distinctNames(): (wanted: string, suffix: string) => string {
  const used = new Set<string>();
  return (wanted, suffix) => {
    let name = wanted;
    while (used.has(name)) name = `${name}_${suffix}`;
    used.add(name);
    return name;
  };
}
