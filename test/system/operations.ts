// The routes of the API, as docs/openapi.json has them, and the places in their paths for ids.
import { readFileSync } from 'node:fs';
import type { Ids } from './tenants.ts';

export type Operation = {
  /** `GET /services/{id}` */
  readonly request: string;
  readonly role: string;
  readonly isForSessionsOnly: boolean;
  readonly hasBody: boolean;
  /** Parameters of its query. */
  readonly queryParameters: readonly string[];
};

type Described = {
  readonly 'x-role': string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly requestBody?: object;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
};
export type ApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
};

export const operationsOf = ({ paths }: ApiDocument): readonly Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]): Operation => {
      const { 'x-role': role, security = [], requestBody, parameters = [] } = described;
      return {
        request: `${method.toUpperCase()} ${path}`,
        role,
        isForSessionsOnly: security.some((scheme) => 'session' in scheme),
        hasBody: requestBody !== undefined,
        queryParameters: parameters.filter((one) => one.in === 'query').map(({ name }) => name),
      };
    }),
  );

export const operations = operationsOf(
  JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')),
);

/** What the first id of a path names; further ones say it themselves. */
export const kinds: Readonly<Record<string, string>> = {
  services: 'service',
  'escalation-policies': 'policy',
  integrations: 'integration',
  'alert-rules': 'rule',
  'outbound-webhooks': 'webhook',
  'on-calls': 'schedule',
  playbooks: 'playbook',
  incidents: 'incident',
  users: 'user',
  teams: 'team',
  'api-keys': 'key',
  'calendar-feeds': 'feed',
  'channel-connections': 'connection',
};

/** The kinds of what a path names, in order. */
export const placesIn = (request: string): readonly string[] => {
  const [first, ...others] = request.match(/\{\w+\}/g) ?? [];
  const kind = kinds[request.split('/')[1] ?? ''] ?? '';
  if (first === undefined) return [];
  if (first !== '{id}') return [nameOf(first)];
  // Below an integration, a key is one that it has adopted.
  const below = others.map((one) => (one === '{key_id}' ? 'adopted' : nameOf(one)));
  return [kind, ...below];
};

const nameOf = (place: string) => place.replace(/[{}]|_id/g, '');

/** The request with an id at each of its places; each may come from other ids than the one before. */
export function filled(request: string, ids: readonly Ids[]): string {
  const all = placesIn(request);
  let position = -1;
  return request.replace(/\{\w+\}/g, () => {
    position += 1;
    return ids[position]?.[all[position] ?? ''] ?? '0'.repeat(24);
  });
}
