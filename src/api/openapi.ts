// The OpenAPI document, written from the routes and the declarations.
import { readFileSync } from 'node:fs';
import type { TSchema } from 'typebox';
import type { Resource } from '../resources/declaration/resource.ts';
import { warned } from './answers.ts';
import { failures } from './failures.ts';
import { bodyBytesMax } from './http/json-bodies.ts';
import { incidentShape, resultsShape } from './incidents/shapes.ts';
import { mayRepeat, type Route } from './route.ts';

type Json = Record<string, unknown>;

const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string };

export function openApi(routes: readonly Route[]): Json {
  const paths: Record<string, Json> = {};
  const components = componentsOf(routes);
  for (const route of routes) {
    const path = route.path.replaceAll(/:([a-z_]+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, components) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pager',
      version,
      description: 'Incident alerting: the declared records, incidents, people and keys.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api/v1' }],
    security: [{ key: [] }, { bearer: [] }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      schemas: { ...componentSchemas(components), Error: errorSchema },
      responses: { Refusal: { description: 'Refused.', content: json({ $ref: errorRef }) } },
    },
  };
}

const errorRef = '#/components/schemas/Error';

const errorSchema = {
  type: 'object',
  required: ['error', 'message', 'issues', 'request_id'],
  properties: {
    error: { type: 'string', enum: Object.keys(failures) },
    message: { type: 'string', description: 'For people.' },
    issues: {
      type: 'array',
      description:
        'What is wrong, each at its path: the first hundred, and how many there are, up to a thousand.',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: {
          path: { type: 'string', examples: ['steps[0].escalate_after_minutes'] },
          message: { type: 'string' },
        },
      },
    },
    request_id: { type: 'string', description: 'Names the request in the log.' },
  },
};

function operation(route: Route, components: Components): Json {
  const { status, schema } = route.answers;
  return {
    tags: [route.tag],
    operationId: operationId(route),
    summary: route.doc,
    'x-role': route.role,
    parameters: parameters(route),
    ...(route.body && {
      requestBody: {
        required: true,
        'x-max-bytes': bodyBytesMax(route),
        content: json(shared(route.body, components)),
      },
    }),
    responses: {
      [status]: {
        description: 'Done.',
        content: json(shared(schema, components)),
      },
      default: { $ref: '#/components/responses/Refusal' },
    },
  };
}

const operationId = ({ method, path }: Route): string =>
  [method.toLowerCase(), ...path.split('/').filter(Boolean)]
    .map((part) => part.replace(':', 'by-'))
    .join('-');

function parameters(route: Route): Json[] {
  const { method, path, query = {} } = route;
  const text = { schema: { type: 'string' } };
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    description,
    ...text,
  });
  return [
    ...[...path.matchAll(/:([a-z_]+)/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      description: name === 'id' ? 'The id, or the counter (the number).' : undefined,
      ...text,
    })),
    ...Object.entries(query).map(([name, parameter]) => ({
      name,
      in: 'query',
      ...(typeof parameter === 'string'
        ? { description: parameter, ...text }
        : describedParameter(parameter)),
    })),
    ...(mayRepeat(route)
      ? [header('Idempotency-Key', 'The same request sent again is not done again, for 24 h.')]
      : []),
    ...(['PUT', 'PATCH', 'DELETE'].includes(method)
      ? [header('If-Match', 'The version this is based on; another one is 409 stale_version.')]
      : []),
  ];
}

function describedParameter(parameter: TSchema): Json {
  const { description, ...schema } = described(parameter);
  return { description, schema };
}

const json = (schema: unknown) => ({ 'application/json': { schema } });

const named = (resource: Resource) =>
  resource.name.replaceAll(/(^|_)([a-z])/g, (_all, _gap, letter: string) => letter.toUpperCase());

/** Schemas that stand in one place, by their names; others are written where they are used. */
type Components = ReadonlyMap<TSchema, string>;

function componentsOf(routes: readonly Route[]): Components {
  const declared = new Set(routes.flatMap(({ record }) => (record ? [record.resource] : [])));
  return new Map([
    ...[...declared].flatMap((resource): [TSchema, string][] => [
      [resource.output, named(resource)],
      [resource.input, `${named(resource)}Input`],
      [warned(resource.output), `${named(resource)}Written`],
    ]),
    [incidentShape, 'Incident'],
    [resultsShape, 'IncidentResults'],
  ]);
}

const componentSchemas = (components: Components): Json =>
  Object.fromEntries([...components].map(([schema, name]) => [name, described(schema)]));

function shared(schema: TSchema, components: Components): unknown {
  const name = components.get(schema);
  return name === undefined
    ? withShared(schema, components)
    : { $ref: `#/components/schemas/${name}` };
}

function withShared(value: unknown, components: Components): unknown {
  if (Array.isArray(value)) return value.map((one) => withShared(one, components));
  if (typeof value !== 'object' || value === null) return value;
  const isSchema = (one: unknown): one is TSchema =>
    typeof one === 'object' && one !== null && 'type' in one;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      isSchema(one) ? shared(one, components) : withShared(one, components),
    ]),
  );
}

/** As plain JSON: what the schema library keeps for itself does not belong into the document. */
const described = (schema: TSchema): Json => JSON.parse(JSON.stringify(schema));
