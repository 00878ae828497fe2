// Twilio's REST API as it is published, as JSON schemas.
import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { published } from '../../published.ts';

type Schema = Readonly<Record<string, unknown>>;
type Media = Readonly<Record<string, { readonly schema: Schema }>>;
type Operation = {
  readonly parameters?: readonly { readonly name: string; readonly in: string; schema: Schema }[];
  readonly requestBody?: { readonly content: Media };
  readonly responses: Readonly<Record<string, { readonly content?: Media }>>;
};
type OpenApi = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Record<string, unknown>>> };
};

type Fields = Readonly<Record<string, string | readonly string[]>>;

type Published = {
  /** What is wrong with the fields of a request, in its query or as its form, if anything. */
  requestProblem(operation: string, fields: Fields): string | undefined;
  /** The same of what is answered. */
  resultProblem(operation: string, result: unknown): string | undefined;
};

let read: Published | null | undefined;

/** Null: it is not here. Operations are named as `POST /Calls.json`, below an account. */
export function publishedTwilio(): Published | null {
  if (read !== undefined) return read;
  const file = published('contracts/twilio/twilio_api_v2010.json');
  read = file && contractOf(JSON.parse(readFileSync(file, 'utf8')));
  return read;
}

function contractOf(api: OpenApi): Published {
  for (const name of ['call', 'message', ''])
    Object.assign(
      api.components.schemas[['api.v2010.account', name].filter(Boolean).join('.')] ?? {},
      { additionalProperties: false },
    );
  const options = { strict: false, logger: false, validateFormats: false } as const;
  // Of a form, every field is text, and a list of one is that one.
  const requests = new Ajv({ ...options, coerceTypes: 'array' });
  const results = new Ajv(options);
  for (const ajv of [requests, results]) ajv.addSchema(api, 'twilio');
  const compiled = new Map<string, ValidateFunction>();
  const problem = (ajv: Ajv, key: string, schema: () => Schema, value: unknown) => {
    const validate = compiled.get(key) ?? ajv.compile(absolute(schema()));
    compiled.set(key, validate);
    if (validate(value)) return undefined;
    return `${key}: ${ajv.errorsText(validate.errors?.slice(0, 3))}`;
  };
  return {
    requestProblem: (operation, fields) =>
      problem(requests, `request ${operation}`, () => requestOf(operationOf(api, operation)), {
        ...fields,
      }),
    resultProblem: (operation, result) =>
      problem(results, `result ${operation}`, () => resultOf(operationOf(api, operation)), result),
  };
}

function operationOf({ paths }: OpenApi, operation: string): Operation {
  const [method = '', path = ''] = operation.split(' ');
  const below = path === '.json' ? '/{Sid}.json' : `/{AccountSid}${path}`;
  const operationThere = paths[`/2010-04-01/Accounts${below}`]?.[method.toLowerCase()];
  if (operationThere === undefined) throw new Error(`the contract has no ${operation}`);
  // As OpenAPI has it.
  return operationThere as Operation;
}

function requestOf({ parameters = [], requestBody }: Operation): Schema {
  const form = requestBody?.content['application/x-www-form-urlencoded']?.schema;
  if (form !== undefined) return { ...form, additionalProperties: false };
  const query = parameters.filter((one) => one.in === 'query');
  return {
    type: 'object',
    properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
    additionalProperties: false,
  };
}

function resultOf({ responses }: Operation): Schema {
  const [answer] = Object.values(responses);
  const schema = answer?.content?.['application/json']?.schema;
  if (schema === undefined) throw new Error('the contract has no answer for it');
  return schema;
}

/** Its references lead into the whole. */
const absolute = (schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"twilio#/components'));
