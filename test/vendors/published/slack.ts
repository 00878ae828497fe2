// Slack's Web API as Slack published it in 2021. What is younger is added here.
import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { published } from '../../published.ts';

type Operation = {
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
  }[];
  readonly responses: Readonly<Record<string, { readonly schema?: object }>>;
};
type WebApi = {
  readonly definitions: Readonly<Record<string, object>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

type Published = {
  /** What is wrong with a request of that method, if anything. */
  requestProblem(method: string, parameters: Readonly<Record<string, unknown>>): string | undefined;
  /** The same of what the method answers. */
  answerProblem(method: string, answer: unknown): string | undefined;
};

/** Younger than the contract. */
const added: Readonly<Record<string, readonly string[]>> = {
  'apps.connections.open': [],
  'chat.update': ['metadata'],
};

/** Of these the contract has wrong what Slack answers: blocks as one object. */
const loose = new Set(['chat.update', 'apps.connections.open', 'auth.test']);

let read: Published | null | undefined;

/** Null: it is not here. */
export function publishedSlack(): Published | null {
  if (read !== undefined) return read;
  const file = published('contracts/slack/slack_web_openapi_v2.json');
  read = file && contractOf(JSON.parse(readFileSync(file, 'utf8')));
  return read;
}

function contractOf({ definitions, paths }: WebApi): Published {
  const ajv = new Ajv({ strict: false, logger: false });
  ajv.addSchema({ $id: 'slack', definitions: JSON.parse(referred(definitions)) });
  const compiled = new Map<string, ValidateFunction>();
  const operationOf = (method: string) => Object.values(paths[`/${method}`] ?? {})[0];
  return {
    requestProblem(method, parameters) {
      const operation = operationOf(method);
      if (operation === undefined && added[method] === undefined)
        return `${method}: no such method`;
      const fields = (operation?.parameters ?? []).filter(({ name }) => name !== 'token');
      const names = new Set([...fields.map(({ name }) => name), ...(added[method] ?? [])]);
      const unknown = Object.keys(parameters).filter((name) => !names.has(name));
      const missing = fields.filter(
        ({ name, required }) => required === true && parameters[name] === undefined,
      );
      const problems = [...unknown, ...missing.map(({ name }) => `no ${name}`)];
      return problems.length === 0 ? undefined : `${method}: ${problems.join(', ')}`;
    },
    answerProblem(method, answer) {
      const schema = operationOf(method)?.responses['200']?.schema;
      if (schema === undefined || loose.has(method)) return undefined;
      const validate = compiled.get(method) ?? ajv.compile(JSON.parse(referred(schema)));
      compiled.set(method, validate);
      if (validate(answer)) return undefined;
      return `${method}: ${ajv.errorsText(validate.errors?.slice(0, 3))}`;
    },
  };
}

const referred = (schema: object) =>
  JSON.stringify(schema).replaceAll('"#/definitions/', '"slack#/definitions/');
