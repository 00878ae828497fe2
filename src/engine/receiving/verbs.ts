/** What somebody asks for by a text, such as `ack 42`. */
export type Command = {
  readonly action: 'acknowledge' | 'resolve' | 'escalate';
  /** Of the incident; null: they named none. */
  readonly number: number | null;
};

const verbs: Readonly<Record<string, Command['action']>> = {
  ...{ '4': 'acknowledge', a: 'acknowledge', ack: 'acknowledge', acknowledge: 'acknowledge' },
  ...{ '6': 'resolve', r: 'resolve', resolve: 'resolve', c: 'resolve', close: 'resolve' },
  ...{ '9': 'escalate', e: 'escalate', escalate: 'escalate' },
};

/** A verb and the number of an incident, in either order. Null: it is something else. */
export function readCommand(text: string): Command | null {
  const words = text
    .trim()
    .replace(/^["'“”/]+|["'“”.!]+$/g, '')
    .toLowerCase()
    .split(/\s+/);
  const [first = '', second] = words;
  if (words.length > 2) return null;
  if (second === undefined) {
    const action = verbOf(first);
    return action && { action, number: null };
  }
  const [inOrder, reversed] = [verbOf(first), verbOf(second)];
  const [after, before] = [numberOf(second), numberOf(first)];
  if (inOrder !== null && after !== null) return { action: inOrder, number: after };
  if (reversed !== null && before !== null) return { action: reversed, number: before };
  return null;
}

const verbOf = (word: string) => (Object.hasOwn(verbs, word) ? (verbs[word] ?? null) : null);

const numberOf = (word: string): number | null => {
  const match = /^(?:inc-|#)?([1-9][0-9]{0,8})$/.exec(word);
  return match ? Number(match[1]) : null;
};
