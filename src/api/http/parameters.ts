// The parameters in headers and paths, each declared once: the document lists them, and requests are
// read by them.
import type { IncomingHttpHeaders } from 'node:http';
import type { TSchema } from 'typebox';
import { COUNTER, ID, id, objectOf, optional, text } from '../../resources/declaration/field.ts';
import {
  managedByLength,
  managedByPattern,
  workspaceForm,
} from '../../resources/declaration/managed-by.ts';
import { MANAGED_BY_HEADER } from '../../resources/declaration/managed-by-header.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { Refusal } from '../failures.ts';
import { mayRepeat, type Route } from '../route.ts';

const idempotencyKey = optional(
  text({
    doc: 'A key of the client for this request. Within 24 hours, the same request with the same key is not done again but gets the first answer.',
    max: 255,
    pattern: '^[!-~](?:[ -~]*[!-~])?$',
    example: '1 to 255 printable ASCII characters',
  }),
);

const ifMatch = optional(
  text({
    doc: 'The version of the record that the write is based on; 409 stale_version when the record has another one. * means any version.',
    pattern: '^(?:\\*|(?:W/)?"?[0-9]{1,9}"?)$',
    example: 'a version, such as 3 or "3", or *',
  }),
);

const teamId = optional(
  id(
    'The team that it is for, when the body names none; absent: the team of the API key, else the default team.',
  ),
);

const managedBy = optional(
  text({
    doc: 'The tool that sends the request, which manages the record from now on: terraform, or terraform/ and its workspace. Absent: as before.',
    max: managedByLength,
    pattern: managedByPattern,
    example: `terraform, or terraform/ and the name of a workspace: ${workspaceForm}`,
  }),
);

/** All headers that the route reads, by their names. */
export function headersOf(route: Route): Readonly<Record<string, TSchema>> {
  const { record, takesManagedBy, takesVersion, takesTeam, headers } = route;
  return {
    ...headers,
    ...(mayRepeat(route) && { 'Idempotency-Key': idempotencyKey }),
    ...(takesVersion && { 'If-Match': ifMatch }),
    ...(takesTeam && { 'x-team-id': teamId }),
    ...((record || takesManagedBy) && { [MANAGED_BY_HEADER]: managedBy }),
  };
}

/** The headers of a request that its route reads, in lower case; others are not looked at. */
export function readHeaders(
  sent: IncomingHttpHeaders,
  route: Route,
): Readonly<Record<string, string>> {
  const known = Object.entries(headersOf(route));
  const values = Object.fromEntries(
    known.flatMap(([name]) => {
      const value = sent[name.toLowerCase()];
      return value === undefined ? [] : [[name, String(value)]];
    }),
  );
  const read = readObject(objectOf(Object.fromEntries(known)), values);
  if (read.ok)
    return Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]),
    );
  const [first] = read.problems;
  throw new Refusal('unreadable', {
    message: `${first?.path} ${first?.message}.`,
    issues: read.problems,
  });
}

/** Kinds that people and programs know by their ids alone. */
const withoutCounters = new Set([
  ...['users', 'teams', 'api-keys', 'calendar-feeds', 'channel-connections'],
]);

/** The parameters in the path of a route, in their order. */
export function pathParametersOf({ path, params = {} }: Route): Readonly<Record<string, TSchema>> {
  const [, kind = ''] = path.split('/');
  return Object.fromEntries(
    Array.from(path.matchAll(/:([a-z_]+)/g), ([, name = '']) => [
      name,
      params[name] ?? (name === 'id' ? idOf(kind) : id(belowDoc(name))),
    ]),
  );
}

const belowDoc = (name: string): string =>
  `The id of the ${name.replace('_id', '').replaceAll('_', ' ')}, as its list has it.`;

function idOf(kind: string): TSchema {
  if (withoutCounters.has(kind)) return id('The id of what the path names.');
  const counter = kind === 'incidents' ? 'number' : 'counter';
  return text({ doc: `The id or the ${counter}.`, pattern: `^(?:${ID}|${COUNTER})$` });
}
