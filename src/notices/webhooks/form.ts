/** A value as a form with bracketed names, `incident[links][0][href]=...`; nothing for what is empty. */
export function formOf(value: object): string {
  return new URLSearchParams([...bracketed(value)]).toString();
}

/** Whether the value, under this name, is a form of at most so many characters before encoding. */
export function fitsForm(value: unknown, name: string, charactersMax: number): boolean {
  let characters = 0;
  for (const [key, text] of pairs(name, value)) {
    characters += key.length + text.length;
    if (characters > charactersMax) return false;
  }
  return true;
}

function* bracketed(value: object): Generator<[string, string]> {
  for (const [name, member] of Object.entries(value)) yield* pairs(name, member);
}

function* pairs(name: string, value: unknown): Generator<[string, string]> {
  if (typeof value !== 'object' || value === null) yield [name, String(value ?? '')];
  else for (const [key, member] of Object.entries(value)) yield* pairs(`${name}[${key}]`, member);
}
