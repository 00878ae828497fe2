// A reader of forms with bracketed names, strict, and written apart from what writes them.
import assert from 'node:assert/strict';

type Parsed = { [name: string]: Parsed | string };

/** Every leaf as text, lists as objects with the keys 0, 1, ...; throws at whatever is not clean. */
export function parseForm(body: string): Parsed {
  const root: Parsed = {};
  for (const pair of body.split('&')) {
    const [, name = '', value = ''] = /^([^=]+)=([^=]*)$/.exec(pair) ?? assert.fail(pair);
    put(root, wayOf(decoded(name)), decoded(value));
  }
  return root;
}

function put(root: Parsed, way: readonly string[], value: string): void {
  const last = way.at(-1) ?? assert.fail('no name');
  let at = root;
  for (const step of way.slice(0, -1)) {
    at[step] ??= {};
    const next = at[step];
    assert.ok(typeof next === 'object', `${way} goes through a value`);
    at = next;
  }
  assert.ok(!Object.hasOwn(at, last), `${way} is there twice`);
  at[last] = value;
}

function wayOf(name: string): readonly string[] {
  const [, first = '', rest = ''] = /^([^[\]]+)((?:\[[^[\]]+\])*)$/.exec(name) ?? assert.fail(name);
  return [first, ...[...rest.matchAll(/\[([^[\]]+)\]/g)].map(([, step = '']) => step)];
}

function decoded(text: string): string {
  assert.match(text, /^(?:[A-Za-z0-9*._+-]|%[0-9A-F]{2})*$/);
  return decodeURIComponent(text.replaceAll('+', ' '));
}

/** A value as such a form can say it: leaves as texts, lists as objects, nothing that is empty. */
export function asForm(value: unknown): Parsed | string | undefined {
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  const members = Object.entries(value).flatMap(([name, member]) => {
    const written = asForm(member);
    return written === undefined ? [] : [[name, written] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}
