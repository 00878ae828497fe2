// Who may use each route of the API: authorization.txt, read, and what it makes the answer.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { failures } from '../../src/api/failures.ts';
import { isRole, type Role, roles } from '../../src/resources/roles.ts';
import type { Caller } from './callers.ts';

/** One line: the head of the table says what the columns mean. */
export type Line = {
  readonly request: string;
  /** The words for a body or a target that changes who may use the route; or ''. */
  readonly variant: string;
  readonly role: Role;
  readonly keys: string;
  readonly confined: string;
  readonly others: string;
  readonly isAbsent: boolean;
};

/** A refusal by its code, or that the caller is let in. */
export type Expected = keyof typeof failures | 'let in';

const words: readonly string[] = [...roles, ...Object.keys(failures), 'yes', 'nobody', '-'];

function lineOf(text: string): Line {
  const [route = '', role = '', keys = '', confined = '', others = '', note = ''] =
    text.split(/ {2,}/);
  const [, request = '', variant = ''] = /^(.*?)(?: \((.*)\))?$/.exec(route) ?? [];
  const unknown = [role, keys, ...others.split(' ')].filter((word) => !words.includes(word));
  assert.deepEqual(unknown, [], `words of the line: ${text}`);
  assert.match(confined, /^(all|team|whole|hidden|team, whole|-)$/, text);
  assert.match(note, /^(absent)?$/, text);
  const isAbsent = note === 'absent';
  return { request, variant, role: role as Role, keys, confined, others, isAbsent };
}

export const table: readonly Line[] = readFileSync(
  new URL('authorization.txt', import.meta.url),
  'utf8',
)
  .split('\n')
  .filter((text) => text !== '' && !text.startsWith('#'))
  .map(lineOf);

const isBelow = (role: Role | null, least: string) =>
  roles.indexOf(role as Role) < roles.indexOf(least as Role);

/** What the table says; `isOwn`: the path names the caller. */
export function expected(line: Line, { kind, role }: Caller, isOwn: boolean): Expected {
  if (kind === 'stranger') return 'unauthorized';
  const isKey = kind.startsWith('key');
  const isConfined = kind === 'key of the team' || kind === 'key of another team';
  // What holds for every request of the route is checked first.
  const route = table.find((one) => one.request === line.request && one.variant === '') ?? line;
  if (isKey && route.keys.endsWith('_only')) return route.keys as Expected;
  if (isBelow(role, route.role)) return 'forbidden';
  if (isKey && isRole(route.keys)) return isBelow(role, route.keys) ? 'forbidden' : 'let in';
  if (isKey && route.keys !== 'yes') return route.keys as Expected;
  const isNamed = line.request.includes('{id}');
  if (isNamed && kind.endsWith('another organization')) return 'not_found';
  if (isConfined && line.confined === 'hidden') return 'not_found';
  if (kind === 'key of another team' && line.confined.startsWith('team')) return 'not_found';
  if (isConfined && line.confined.endsWith('whole')) return 'forbidden';
  const [least = '-', refusal = 'forbidden'] = line.others.split(' ');
  const isRefused = least === 'nobody' || (least !== '-' && isBelow(role, least));
  if (isRefused && !isOwn) return refusal as Expected;
  if (isKey && line.keys !== 'yes') return line.keys as Expected;
  if (isBelow(role, line.role)) return 'forbidden';
  return line.isAbsent ? 'not_found' : 'let in';
}

export function isAs(
  wanted: Expected,
  { status, error }: { readonly status: number; readonly error: string | undefined },
): boolean {
  if (wanted === 'let in') return status < 500 && ![401, 403, 404].includes(status);
  return status === failures[wanted][0] && error === wanted;
}
