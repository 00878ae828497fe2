/** 0 to 45 belongs to alarm. */
const hues = [60, 90, 115, 145, 175, 205, 235, 265, 300, 335] as const;

/** By id, so that a person looks the same on every page. */
export function hueOf(id: string): number {
  let hash = 0;
  for (const character of id) hash = (hash * 31 + character.charCodeAt(0)) % 65_521;
  return hues[hash % hues.length] ?? hues[0];
}

/** Where several people stand side by side, as many hues as there are for that many people. */
export function huesOf(ids: Iterable<string>): ReadonlyMap<string, number> {
  const taken = new Map<string, number>();
  for (const id of [...new Set(ids)].sort()) {
    const used = new Set(taken.values());
    const first = hues.indexOf(hueOf(id) as (typeof hues)[number]);
    const inOrder = hues.map((_, index) => hues[(first + index) % hues.length] ?? hues[0]);
    taken.set(id, inOrder.find((hue) => !used.has(hue)) ?? hueOf(id));
  }
  return taken;
}

export function initialsOf(name: string): string {
  const parts = name.split(/\s+/u).filter(Boolean);
  const letters = parts.length > 1 ? [parts[0], parts.at(-1)] : parts;
  return letters
    .map((part) => [...(part ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}
