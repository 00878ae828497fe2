// The OpenAPI document, written from the routes and the declarations.
import { readFileSync } from 'node:fs';
import type { TSchema } from 'typebox';
import { MANAGED_BY_HEADER } from '../resources/declaration/managed-by-header.ts';
import type { Resource } from '../resources/declaration/resource.ts';
import { warned } from './answers.ts';
import { failures } from './failures.ts';
import { bodyBytesMax } from './http/json-bodies.ts';
import { incidentShape, resultsShape } from './incidents/shapes.ts';
import { mayRepeat, type Route } from './route.ts';
import { COOKIE_PREFIX } from './sign-in/auth-options.ts';

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
    security: [{ key: [] }, { bearer: [] }, { session: [] }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        bearer: { type: 'http', scheme: 'bearer' },
        session: sessionScheme,
      },
      schemas: { ...componentSchemas(components), Error: errorSchema },
      responses: { Refusal: { description: 'Refused.', content: json({ $ref: errorRef }) } },
    },
  };
}

const sessionScheme = {
  type: 'apiKey',
  in: 'cookie',
  name: `${COOKIE_PREFIX}.session_token`,
  description:
    'The cookie of a signed-in person; over https its name begins with __Secure-. A request that changes something needs the header x-csrf-token too.',
};

const ID_IN_PATH = 'The id, or the counter (of an incident, the number).';

const errorRef = '#/components/schemas/Error';

const errorSchema = {
  type: 'object',
  required: ['error', 'message', 'issues', 'request_id'],
  properties: {
    error: {
      type: 'string',
      enum: Object.keys(failures),
      description: 'What is wrong, as a word for programs.',
    },
    message: { type: 'string', description: 'What is wrong, as a sentence for people.' },
    issues: {
      type: 'array',
      description:
        'The mistakes in the body or the query. Of more than a hundred, the first hundred are listed, and the last has the number of all.',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: {
          path: {
            type: 'string',
            description: 'The field or parameter that has the mistake.',
            examples: ['steps[0].escalate_after_minutes'],
          },
          message: { type: 'string', description: 'What is wrong with it.' },
        },
      },
    },
    request_id: {
      type: 'string',
      description: 'The id of the request, by which the log of the server has it.',
    },
  },
};

function operation(route: Route, components: Components): Json {
  const { status, schema, mediaType = 'application/json' } = route.answers;
  return {
    tags: [route.tag],
    operationId: operationId(route),
    summary: route.doc,
    'x-role': route.role,
    ...(route.keysRefused && { security: [{ session: [] }] }),
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
        content: { [mediaType]: { schema: shared(schema, components) } },
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
  const { method, path, query = {}, record } = route;
  const text = { schema: { type: 'string' } };
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    description,
    ...text,
  });
  return [
    ...[...path.matchAll(/:([a-z_]+)/g)].map(([, name = '']) => ({
      name,
      in: 'path',
      required: true,
      description:
        name === 'id'
          ? ID_IN_PATH
          : `The id of the ${name.replace('_id', '').replaceAll('_', ' ')}, as its list has it.`,
      ...text,
    })),
    ...Object.entries(query).map(([name, parameter]) => ({
      name,
      in: 'query',
      ...(typeof parameter === 'string'
        ? { description: parameter, ...text }
        : describedParameter(parameter)),
    })),
    ...Object.entries(route.headers ?? {}).map(([name, meaning]) => header(name, meaning)),
    ...(mayRepeat(route)
      ? [
          header(
            'Idempotency-Key',
            'A key of the client for this request: within 24 hours, the same request with the same key is not done again but answered again.',
          ),
        ]
      : []),
    ...(['PUT', 'PATCH', 'DELETE'].includes(method)
      ? [
          header(
            'If-Match',
            'The version of the record that the write is based on; 409 stale_version when the record has another one.',
          ),
        ]
      : []),
    ...(record !== undefined || route.takesManagedBy
      ? [
          header(
            MANAGED_BY_HEADER,
            'Who manages the record from now on: terraform, or terraform/ and its workspace. Absent: as before.',
          ),
        ]
      : []),
  ];
}

function describedParameter(parameter: TSchema): Json {
  const { description, ...schema } = described(parameter);
  // With commas between the values.
  return { description, ...(schema['type'] === 'array' && { explode: false }), schema };
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

/** As plain JSON, without the hidden properties of the schema library. */
const described = (schema: TSchema): Json => JSON.parse(JSON.stringify(schema));
