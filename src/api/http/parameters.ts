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
    doc: 'A unique key that the client chooses for this request. A repeated request with the same key within 24 hours is not executed again and returns the first response.',
    max: 255,
    pattern: '^[!-~](?:[ -~]*[!-~])?$',
    example: '1 to 255 printable ASCII characters',
  }),
);

const ifMatch = optional(
  text({
    doc: 'The version of the record that the write is based on. If the record has another version, the response is 409 stale_version. * matches any version.',
    pattern: '^(?:\\*|(?:W/)?"?[0-9]{1,9}"?)$',
    example: 'a version, such as 3 or "3", or *',
  }),
);

const teamId = optional(
  id(
    'The team for the new record if the body has no team_id. If absent, the team of the API key, or else the default team.',
  ),
);

const managedBy = optional(
  text({
    doc: 'The tool that manages the record from now on: terraform, or terraform/ and its workspace. If absent, this does not change.',
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
  `The id of the ${name.replace('_id', '').replaceAll('_', ' ')}, as returned by its list.`;

function idOf(kind: string): TSchema {
  if (withoutCounters.has(kind)) return id('The id of the record in the path.');
  const counter = kind === 'incidents' ? 'number' : 'counter';
  return text({ doc: `The id or the ${counter}.`, pattern: `^(?:${ID}|${COUNTER})$` });
}
