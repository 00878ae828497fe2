/** 0 to 45 belongs to alarm. */
const hues = [60, 90, 115, 145, 175, 205, 235, 265, 300, 335] as const;

/** By id, so that a person looks the same on every page. */
export function hueOf(id: string): number {
  let hash = 0;
  for (const character of id) hash = (hash * 31 + character.charCodeAt(0)) % 65_521;
  return hues[hash % hues.length] ?? hues[0];
}

export function initialsOf(name: string): string {
  const parts = name.split(/\s+/u).filter(Boolean);
  const letters = parts.length > 1 ? [parts[0], parts.at(-1)] : parts;
  return letters
    .map((part) => [...(part ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}
