// The OpenAPI document, written from the routes and the declarations.
import { readFileSync } from 'node:fs';
import type { TSchema } from 'typebox';
import { httpLimits } from '../../limits/http.ts';
import { KIB } from '../../limits/limit.ts';
import { objectOf } from '../../resources/declaration/field.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import { warned } from '../answers.ts';
import { failures } from '../failures.ts';
import { bodyBytesMax } from '../http/json-bodies.ts';
import { headersOf, pathParametersOf } from '../http/parameters.ts';
import { incidentShape, resultsShape } from '../incidents/shapes.ts';
import { ignoredOf } from '../records/body.ts';
import type { Route } from '../route.ts';
import { COOKIE_PREFIX } from '../sign-in/sessions/auth-options.ts';
import { asSent, plain, withIgnored } from './sent-schema.ts';

type Json = Record<string, unknown>;

const { version } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
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
      description: `Incident alerting: incidents, configuration, people and keys. Bodies are JSON in UTF-8. A body of more than ${httpLimits.smallBody / KIB} KiB must reference records and people by id.`,
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
      schemas: { ...componentSchemas(routes, components), Error: errorSchema },
      responses: { Refusal: refusal },
    },
  };
}

const sessionScheme = {
  type: 'apiKey',
  in: 'cookie',
  name: `${COOKIE_PREFIX}.session_token`,
  description:
    'The cookie of a signed-in person. Over https its name begins with __Secure-. A request that changes something also needs the header x-csrf-token with the value that POST /auth/sign-in returns.',
};

function json(schema: unknown) {
  return { 'application/json': { schema } };
}

const errorRef = '#/components/schemas/Error';

const refusal = {
  description: 'Refused.',
  headers: {
    Allow: {
      description: 'With 405: the methods that the path supports.',
      schema: { type: 'string' },
    },
    'Retry-After': {
      description: 'With 409, 429 and 503: the number of seconds to wait before you retry.',
      schema: { type: 'string', pattern: '^[0-9]+$' },
    },
  },
  content: json({ $ref: errorRef }),
};

const errorSchema = {
  type: 'object',
  required: ['error', 'message', 'issues', 'request_id'],
  properties: {
    error: {
      type: 'string',
      enum: Object.keys(failures),
      description: 'The error code, for programs.',
    },
    message: { type: 'string', description: 'The error message.' },
    issues: {
      type: 'array',
      description:
        'The errors in the body or query. If there are more than a hundred, the first hundred are listed, and the last one gives the total.',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: {
          path: {
            type: 'string',
            description: 'The invalid field or parameter.',
            examples: ['steps[0].escalate_after_minutes'],
          },
          message: { type: 'string', description: 'What is wrong with the field.' },
        },
      },
    },
    request_id: {
      type: 'string',
      description: 'The id of the request, as in the server’s log.',
    },
  },
};

const csvSchema = {
  type: 'string',
  description: 'With format=csv: a line with the names of the columns, then a line for each entry.',
};

function operation(route: Route, components: Components): Json {
  const { status, schema, mediaType = 'application/json', isAlsoCsv } = route.answers;
  return {
    tags: [route.tag],
    operationId: operationId(route),
    summary: route.doc,
    'x-role': route.role,
    ...(route.keysRefused && { security: [{ session: [] }] }),
    parameters: parameters(route),
    ...(route.body && {
      requestBody: {
        required: !route.bodyMayBeAbsent,
        'x-max-bytes': bodyBytesMax(route),
        content: json(requestSchema(route, route.body, components)),
      },
    }),
    responses: {
      [status]: {
        description: 'Done.',
        content: {
          [mediaType]: { schema: shared(schema, components.answers) },
          ...(isAlsoCsv && { 'text/csv': { schema: csvSchema } }),
        },
      },
      '4XX': { $ref: '#/components/responses/Refusal' },
      '5XX': { $ref: '#/components/responses/Refusal' },
    },
  };
}

/** The whole record stands under its name, and so does its patch. */
function requestSchema(route: Route, body: TSchema, { sent }: Components): Json {
  const { record, ignored = [], method } = route;
  const isPatch = method === 'PATCH' && !route.namesAll;
  const name = sent.get(body);
  if (record && name) return { $ref: refTo(isPatch ? patchName(name) : name) };
  const options = { isPatch, shared: sharedIn(sent) };
  return withIgnored(asSent(body, options), ignored, route.answers.schema);
}

const operationId = ({ method, path }: Route): string =>
  [method.toLowerCase(), ...path.split('/').filter(Boolean)]
    .map((part) => part.replace(':', 'by-'))
    .join('-');

function parameters(route: Route): Json[] {
  const of = (location: string, declared: Readonly<Record<string, TSchema>>) => {
    const required: readonly string[] = objectOf(declared).required ?? [];
    return Object.entries(declared).map(([name, schema]) => ({
      name,
      in: location,
      ...(required.includes(name) && { required: true }),
      ...describedParameter(schema),
    }));
  };
  return [
    ...of('path', pathParametersOf(route)),
    ...of('query', route.query ?? {}),
    ...of('header', headersOf(route)),
  ];
}

function describedParameter(parameter: TSchema): Json {
  const { 'x-references': _, ...plainly } = plain(parameter);
  const { description, ...schema } = asSent(plainly);
  // With commas between the values.
  return { description, ...(schema['type'] === 'array' && { explode: false }), schema };
}

const named = (resource: Resource) =>
  resource.name.replaceAll(/(^|_)([a-z])/g, (_all, _gap, letter: string) => letter.toUpperCase());

/** Schemas that stand in one place, by their names; others are written where they are used. */
type Components = {
  readonly answers: ReadonlyMap<TSchema, string>;
  readonly sent: ReadonlyMap<TSchema, string>;
};

const declaredIn = (routes: readonly Route[]): readonly Resource[] => [
  ...new Set(routes.flatMap(({ record }) => (record ? [record.resource] : []))),
];

const componentsOf = (routes: readonly Route[]): Components => ({
  answers: new Map([
    ...declaredIn(routes).flatMap((resource): [TSchema, string][] => [
      [resource.output, named(resource)],
      [warned(resource.output), `${named(resource)}Written`],
    ]),
    [incidentShape, 'Incident'],
    [resultsShape, 'IncidentResults'],
  ]),
  sent: new Map(declaredIn(routes).map((resource) => [resource.input, `${named(resource)}Input`])),
});

const patchName = (name: string) => name.replace(/Input$/, 'Patch');
const refTo = (name: string) => `#/components/schemas/${name}`;

function componentSchemas(routes: readonly Route[], { answers, sent }: Components): Json {
  const ofAnswers = [...answers].map(([schema, name]) => [name, plain(schema)]);
  const ofRequests = declaredIn(routes).flatMap((resource) => {
    const name = sent.get(resource.input) ?? '';
    return [
      [name, inputSchema(resource, false)],
      [patchName(name), inputSchema(resource, true)],
    ];
  });
  return Object.fromEntries([...ofAnswers, ...ofRequests]);
}

function inputSchema(resource: Resource, isPatch: boolean): Json {
  const { description, ...schema } = asSent(resource.input, { isPatch });
  const sent = withIgnored(
    { description, ...schema },
    ignoredOf(resource),
    warned(resource.output),
  );
  return isPatch ? { ...sent, properties: { ...(sent['properties'] as Json), managed_by } } : sent;
}

const managed_by = {
  readOnly: true,
  description: 'Null: no tool manages the record anymore. Any other value is ignored.',
};

/** A reference to each schema that has a name. */
const sharedIn =
  (components: ReadonlyMap<TSchema, string>) =>
  (schema: TSchema): Json | undefined => {
    const name = components.get(schema);
    return name === undefined ? undefined : { $ref: refTo(name) };
  };

function shared(schema: TSchema, components: ReadonlyMap<TSchema, string>): unknown {
  return sharedIn(components)(schema) ?? withShared(schema, components);
}

function withShared(value: unknown, components: ReadonlyMap<TSchema, string>): unknown {
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
