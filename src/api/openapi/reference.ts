// The API reference at /docs/api-reference: every operation and record of the OpenAPI document, without scripts.

import type { FastifyInstance } from 'fastify';
import { escaped } from '../../notices/words/html.ts';
import { displayName } from '../../resources/declaration/resource.ts';
import { once } from '../../resources/once.ts';
import { capitalised } from '../../resources/sentence.ts';
import { documentsPath, referencePath } from '../pages/documents/paths.ts';
import { htmlPage } from '../pages/page.ts';

/** As much of an OpenAPI document as the page shows. */
export type Contract = {
  readonly info: { readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

type Operation = {
  readonly tags: readonly string[];
  readonly operationId: string;
  readonly summary: string;
  readonly 'x-role': string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Content; readonly 'x-max-bytes': number };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};

type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema: Schema;
};

/** By media type. */
type Content = Readonly<Record<string, { readonly schema: Schema }>>;

type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  /** Of what is sent, the members of a map. */
  readonly additionalProperties?: Schema | boolean;
  /** Of what is sent: a client may send it back, and it is ignored. */
  readonly readOnly?: boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
};

/** HTML of the page's body. */
export function referencePage({ info, servers, tags, paths, components }: Contract): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags[0],
      html: operationHtml(`${method.toUpperCase()} ${path}`, operation),
    })),
  );
  const sections = tags.map(({ name }) => {
    const ofTag = operations.filter(({ tag }) => tag === name).map(({ html }) => html);
    return `<h2 id="${escaped(name)}">${escaped(titleOf(name))}</h2>${ofTag.join('')}`;
  });
  const links = tags.map(({ name }) => `<a href="#${escaped(name)}">${escaped(titleOf(name))}</a>`);
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `<h3 id="schema-${escaped(name)}">${escaped(name)}</h3>${schemaHtml(schema)}`,
  );
  return [
    `<p><a href="${documentsPath}">All documents</a></p>`,
    `<p>${escaped(info.description)} Version ${escaped(info.version)}. `,
    `All paths are below <code>${escaped(servers[0]?.url ?? '/')}</code>. Programs read `,
    '<a href="/openapi.json">openapi.json</a>. Send an API key as <code>x-api-key</code>. <a ',
    `href="${documentsPath}/api">The HTTP API</a> explains lists, errors and limits.</p>`,
    `<p>${links.join(' · ')} · <a href="#schemas">Records</a></p>`,
    ...sections,
    `<h2 id="schemas">Records</h2>${schemas.join('')}`,
  ].join('\n');
}

function operationHtml(title: string, operation: Operation): string {
  const { operationId, summary, parameters, requestBody, responses } = operation;
  const bodies = Object.entries(responses).flatMap(([status, { content }]) =>
    contentHtml(`Answers ${status}`, content),
  );
  return [
    `<details id="${escaped(operationId)}"><summary><code>${escaped(title)}</code> `,
    `${escaped(summary)}</summary><p>Minimum role: ${escaped(operation['x-role'])}.</p>`,
    parameters.length > 0
      ? part('Parameters', listHtml(parameters.map((one) => parameterHtml(one))))
      : '',
    ...contentHtml('Body', requestBody?.content),
    ...bodies,
    '</details>',
  ].join('');
}

const contentHtml = (title: string, content: Content = {}): string[] =>
  Object.values(content).map(({ schema }) => part(title, schemaHtml(schema)));

const part = (title: string, html: string): string => `<h4>${title}</h4>${html}`;

const listHtml = (items: readonly string[]): string =>
  `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;

const parameterHtml = ({ name, in: location, schema, description }: Parameter): string =>
  `<code>${escaped(name)}</code> in the ${escaped(location)}: ${typeHtml(schema)}. ` +
  escaped(description ?? schema.description ?? '');

/** The type, then what is inside it. */
function schemaHtml(schema: Schema): string {
  return `<p>${typeHtml(schema)}. ${escaped(schema.description ?? '')}</p>${insideHtml(schema)}`;
}

/** The fields of an object, of a list's items or of each alternative. */
function insideHtml(schema: Schema): string {
  if (schema.properties) {
    const required = new Set(schema.required);
    const read = Object.entries(schema.properties).filter(([, { readOnly }]) => !readOnly);
    const fields = read.map(([name, field]) => fieldHtml(name, field, required.has(name)));
    return fields.length > 0 ? listHtml(fields) : '';
  }
  const inside = [
    ...(schema.items ? [schema.items] : []),
    ...Object.values(schema.patternProperties ?? {}),
    ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
    ...(schema.anyOf ?? []),
  ];
  return inside.map(insideHtml).join('');
}

function fieldHtml(name: string, field: Schema, isRequired: boolean): string {
  const preset =
    field.default === undefined ? '' : `; default <code>${shown(field.default)}</code>`;
  return (
    `<code>${escaped(name)}</code>: ${typeHtml(field)}${isRequired ? ', required' : ''}${preset}. ` +
    escaped(field.description ?? '') +
    insideHtml(field)
  );
}

function typeHtml(schema: Schema): string {
  const { $ref, anyOf, items, type, format } = schema;
  if ($ref !== undefined) {
    const name = escaped($ref.replace(/.*\//, ''));
    return `<a href="#schema-${name}">${name}</a>`;
  }
  if (schema.const !== undefined) return `<code>${shown(schema.const)}</code>`;
  if (schema.enum) return schema.enum.map((one) => `<code>${shown(one)}</code>`).join(' or ');
  if (anyOf) return [...new Set(anyOf.map(typeHtml))].join(' or ');
  if (items) return [`list of ${typeHtml(items)}`, ...boundsOf(schema)].join(', ');
  const named = [type ?? 'any value'].flat().join(' or ');
  const parts = [named, ...(format ? [format] : []), ...boundsOf(schema)];
  return escaped(parts.join(', '));
}

function boundsOf(schema: Schema): string[] {
  return [
    rangeOf(schema.minimum, schema.maximum),
    rangeOf(schema.minLength, schema.maxLength, ' characters'),
    rangeOf(schema.minItems, schema.maxItems, ' items'),
  ].filter((text) => text !== '');
}

function rangeOf(min?: number, max?: number, unit = ''): string {
  if (max !== undefined) return `${min ?? 0} to ${max}${unit}`;
  return min === undefined ? '' : `at least ${min}${unit}`;
}

const shown = (value: unknown): string => escaped(JSON.stringify(value));

const titleOf = (tag: string): string => capitalised(displayName(tag));

const title = 'Pager API';

/**
 * The API's contract for programs at /openapi.json and for people at /docs/api-reference, all from
 * here. Written when somebody first asks, which on most servers is never.
 */
export function mountDocs(app: FastifyInstance, write: () => object): void {
  const text = once(() => JSON.stringify(write()));
  const body = once(() => referencePage(JSON.parse(text())));
  app.get('/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(text()),
  );
  app.get(referencePath, async (_request, reply) =>
    htmlPage(reply, { title, body: `<h1>${title}</h1>${body()}`, width: 'document' }),
  );
}
