// Slack's published Web API, of 2021, kept outside of this repository. What it does not have yet is
// added here, as Slack's reference documents it.
import { existsSync, readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { skipped } from '../skipped.ts';

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

export type SlackContract = {
  /** What is wrong with a request of that method, if anything. */
  requestProblem(method: string, parameters: Readonly<Record<string, unknown>>): string | undefined;
  /** The same of what the method answers. */
  answerProblem(method: string, answer: unknown): string | undefined;
};

const file = new URL('../../../shared/contracts/slack/slack_web_openapi_v2.json', import.meta.url);

/** The reason why tests against the Web API are left out, if they are. */
export const skipSlack = existsSync(file)
  ? false
  : skipped('the Slack app', 'put ../shared beside');

/** Younger than the contract. */
const added: Readonly<Record<string, readonly string[]>> = {
  'apps.connections.open': [],
  'chat.update': ['metadata'],
};

/** Of these the contract has wrong what Slack answers: blocks as one object. */
const loose = new Set(['chat.update', 'apps.connections.open', 'auth.test']);

let read: SlackContract | undefined;

export function slackContract(): SlackContract {
  read ??= contractOf(JSON.parse(readFileSync(file, 'utf8')));
  return read;
}

function contractOf({ definitions, paths }: WebApi): SlackContract {
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
