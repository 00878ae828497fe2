// The paths of values in the details of recent incidents, for whoever writes a condition on them.
import { isObject } from '../../resources/declaration/is-object.ts';

const MOST = 200;
const DEEPEST = 6;

/** Each once, in the order of the incidents. */
export function detailKeysOf(details: readonly unknown[]): readonly string[] {
  const keys = new Set<string>();
  for (const one of details) collect(one, { at: '', depth: 0, keys });
  return [...keys];
}

type Walk = { readonly at: string; readonly depth: number; readonly keys: Set<string> };

function collect(value: unknown, { at, depth, keys }: Walk): void {
  if (keys.size >= MOST || value === null || value === undefined) return;
  if (Array.isArray(value) || isObject(value)) {
    if (depth === DEEPEST) return;
    for (const [name, member] of Object.entries(value))
      collect(member, { at: at === '' ? name : `${at}.${name}`, depth: depth + 1, keys });
    return;
  }
  if (at !== '') keys.add(at);
}
