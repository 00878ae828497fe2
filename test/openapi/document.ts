// docs/openapi.json, as the tests of it read it.
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly readOnly?: boolean;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly required?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly uniqueItems?: boolean;
  readonly 'x-references'?: { readonly to: string };
  readonly 'x-variant'?: string;
};

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
};

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

export type Operation = {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | null;
  readonly bodyIsRequired: boolean;
  /** Whether only a signed-in person may do it. */
  readonly isOfSessions: boolean;
  readonly responses: Readonly<Record<string, { readonly content: Content }>>;
};

const api = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'));

export const operations: readonly Operation[] = Object.entries(
  api.paths as Record<string, Record<string, Described>>,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => operationOf(method, path, described)),
);

type Described = {
  readonly parameters: readonly Parameter[];
  readonly security?: readonly object[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly content: Content }>
  >;
};

function operationOf(method: string, path: string, described: Described): Operation {
  const { parameters, requestBody, responses, security } = described;
  const body = requestBody?.content['application/json']?.schema ?? null;
  return {
    method: method.toUpperCase(),
    path,
    parameters,
    body,
    bodyIsRequired: requestBody?.required ?? false,
    isOfSessions: security?.every((one) => 'session' in one) ?? false,
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, one]) => [
        status,
        one.$ref ? api.components.responses[one.$ref.split('/').at(-1) ?? ''] : one,
      ]),
    ),
  };
}

export const lineOf = ({ method, path }: Operation): string => `${method} ${path}`;

/** What a reference stands for. */
export function resolved(schema: Schema): Schema {
  const { $ref } = schema;
  return $ref === undefined ? schema : api.components.schemas[$ref.split('/').at(-1) ?? ''];
}

const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  unicodeRegExp: true,
  formats: {
    'date-time': isInstant,
    email: true,
    uri: (text: string) => URL.canParse(text),
    'time-zone': true,
  },
});
ajv.addSchema({ $id: 'document', components: api.components });

function isInstant(text: string): boolean {
  try {
    Temporal.Instant.from(text);
    return true;
  } catch {
    return false;
  }
}

const compiled = new WeakMap<Schema, ValidateFunction>();

/** What does not fit about the value; null: it fits. */
export function misfit(schema: Schema, value: unknown): string | null {
  const validate = compiled.get(schema) ?? ajv.compile(withinDocument(schema));
  compiled.set(schema, validate);
  return validate(value) ? null : ajv.errorsText(validate.errors);
}

/** The references of a part of the document lead into it. */
const withinDocument = (schema: Schema): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'));
