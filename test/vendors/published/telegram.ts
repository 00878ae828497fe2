// Telegram's Bot API as it is published, as JSON schemas.
import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { published } from '../../published.ts';

type Field = {
  readonly name: string;
  readonly types: readonly string[];
  readonly required: boolean;
};
type Type = { readonly fields?: readonly Field[]; readonly subtypes?: readonly string[] };
type Method = { readonly fields?: readonly Field[]; readonly returns: readonly string[] };
type BotApi = {
  readonly methods: Readonly<Record<string, Method>>;
  readonly types: Readonly<Record<string, Type>>;
};

type Published = {
  /** What is wrong with a request of that method, if anything. */
  requestProblem(method: string, parameters: unknown): string | undefined;
  /** The same of what the method answers. */
  resultProblem(method: string, result: unknown): string | undefined;
  updateProblem(update: unknown): string | undefined;
};

let read: Published | null | undefined;

/** Null: it is not here. */
export function publishedTelegram(): Published | null {
  if (read !== undefined) return read;
  const file = published('contracts/telegram/api.json');
  read = file && contractOf(JSON.parse(readFileSync(file, 'utf8')));
  return read;
}

function contractOf({ methods, types }: BotApi): Published {
  const ajv = new Ajv({ strict: false, logger: false });
  const definitions = Object.fromEntries(
    Object.entries(types).map(([name, type]) => [name, schemaOfType(type)]),
  );
  ajv.addSchema({ $id: 'telegram', definitions });
  const compiled = new Map<string, ValidateFunction>();
  const problem = (name: string, schema: () => object, value: unknown) => {
    const validate = compiled.get(name) ?? ajv.compile(schema());
    compiled.set(name, validate);
    if (validate(value)) return undefined;
    return `${name}: ${ajv.errorsText(validate.errors?.slice(0, 3))}`;
  };
  return {
    requestProblem: (method, parameters) =>
      problem(`request ${method}`, () => objectOf(methods[method]?.fields ?? []), parameters),
    resultProblem: (method, result) =>
      problem(`result ${method}`, () => anyOf(methods[method]?.returns ?? []), result),
    updateProblem: (update) => problem('update', () => schemaOf('Update'), update),
  };
}

function schemaOfType({ fields = [], subtypes }: Type): object {
  if (subtypes) return anyOf(subtypes);
  // What the contract leaves open.
  return fields.length === 0 ? {} : objectOf(fields);
}

function objectOf(fields: readonly Field[]): object {
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, types }) => [name, anyOf(types)])),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

const anyOf = (types: readonly string[]): object => ({ anyOf: types.map(schemaOf) });

function schemaOf(type: string): object {
  const items = /^Array of (.+)$/.exec(type)?.[1];
  if (items !== undefined) return { type: 'array', items: schemaOf(items) };
  switch (type) {
    case 'Integer':
      return { type: 'integer' };
    case 'Float':
      return { type: 'number' };
    case 'String':
      return { type: 'string' };
    case 'Boolean':
      return { type: 'boolean' };
    default:
      return { $ref: `telegram#/definitions/${type}` };
  }
}
