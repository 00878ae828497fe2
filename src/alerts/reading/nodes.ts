import type { Json } from '../alert.ts';
import { isObject } from '../text.ts';

/**
 * The value with at most so many values in it: the largest of its members become the text of their
 * JSON, which rules compare with as before; only places inside of them are lost. If that does not
 * suffice, so does the whole.
 */
export function withinNodes(value: Json, most: number): Json {
  const count = nodesIn(value);
  if (count <= most || typeof value !== 'object' || value === null) return value;
  const members = Object.entries<Json>(value as { readonly [name: string]: Json });
  const sizes = members.map(([name, member]) => ({ name, size: nodesIn(member) }));
  const largest = sizes.filter(({ size }) => size > 1).sort((a, b) => b.size - a.size);
  const texts = new Set<string>();
  let left = count;
  for (const { name, size } of largest) {
    if (left <= most) break;
    texts.add(name);
    left -= size - 1;
  }
  if (left > most) return JSON.stringify(value);
  const shortened = members.map(([name, member]): [string, Json] => [
    name,
    texts.has(name) ? JSON.stringify(member) : member,
  ]);
  return isObject(value) ? Object.fromEntries(shortened) : shortened.map(([, member]) => member);
}

/** It and all that is in it. */
function nodesIn(value: Json): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values<Json>(value as { readonly [name: string]: Json }).reduce<number>(
    (sum, member) => sum + nodesIn(member),
    1,
  );
}
