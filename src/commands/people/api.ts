// What the verbs of people have in common: clients of the API, by the key of whoever runs them.
import { randomUUID } from 'node:crypto';
import type { ParseArgsOptionsConfig } from 'node:util';
import { type Parsed, readArguments, suggested } from '../../arguments.ts';
import { type Failed, type Fields, failureText, issuesText } from '../../client/answer.ts';
import type { Client, Query } from '../../client/client.ts';
import { createNodeClient } from '../../client/node.ts';
import { listAll } from '../../client/pages.ts';
import { briefly } from '../../client/retry.ts';
import { isObject } from '../../resources/declaration/is-object.ts';
import { nearest } from '../../resources/nearest.ts';
import { harmless, type Terminal } from '../../terminal.ts';
import { type Configuration, readConfiguration } from '../../terraform/configuration.ts';
import { localBaseUrl } from '../base-url.ts';
import { readTime } from './times.ts';

/** Done; not, or not all of it; not understood. */
export type ExitCode = 0 | 1 | 2;
/** The command cannot be done; the message is a sentence for people. */
export class Refused extends Error {
  readonly code: 1 | 2;
  constructor(message: string, code: 1 | 2 = 1) {
    super(message);
    this.code = code;
  }
}
/** The words are wrong: a sentence, and how the verb is used. */
export class Misused extends Error {}

export type Surroundings = {
  readonly terminal: Terminal;
  readonly environment: NodeJS.ProcessEnv;
};
export type Api = {
  readonly client: Client;
  get(path: string, query?: Query): Promise<Fields>;
  /** What a record that an answer names is called; `-` where this key may not see it. */
  nameOf(path: string): Promise<string>;
  post(path: string, body?: Fields): Promise<Fields>;
};

const common = { json: { type: 'boolean' } } as const;

type Verb<Options extends ParseArgsOptionsConfig> = {
  readonly usage: string;
  readonly options: Options;
  readonly positionalsMax: number;
  run(parsed: Parsed<Options & typeof common>, api: Api): Promise<ExitCode>;
};

/** Answers the exit code; what went wrong is written to standard error. */
export async function runVerb<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  { terminal, environment }: Surroundings,
  verb: Verb<Options>,
): Promise<ExitCode> {
  const { positionalsMax, usage } = verb;
  if (args.includes('--help')) {
    terminal.write(usage);
    return 0;
  }
  const parsed = readArguments(args, { options: { ...verb.options, ...common }, positionalsMax });
  let client: Client | null = null;
  try {
    if (typeof parsed === 'string') throw new Misused(parsed);
    client = createNodeClient({
      ...connection(environment),
      budget: briefly,
      userAgent: 'pagerctl',
    });
    return await verb.run(parsed, apiOf(client));
  } catch (error) {
    if (error instanceof Refused) {
      terminal.writeError(`${harmless(error.message)}\n`);
      return error.code;
    }
    if (!(error instanceof Misused)) throw error;
    terminal.writeError(`${harmless(error.message)}\n\n${usage}`);
    return 2;
  } finally {
    client?.close();
  }
}

function connection(environment: NodeJS.ProcessEnv): Configuration {
  if (!environment['PAGER_API_KEY'])
    throw new Refused('Set PAGER_API_KEY to an API key of your organization.', 2);
  const base_url = localBaseUrl(environment);
  const reading = readConfiguration({ api_key: null, base_url, team_id: null }, environment);
  if (reading.type === 'configured') return reading.configuration;
  const wrong = reading.type === 'wrong' ? reading.diagnostics : [];
  throw new Refused(wrong.map(({ summary, detail }) => `${summary}. ${detail}`).join(' '), 2);
}

function apiOf(client: Client): Api {
  return {
    client,
    async get(path, query = {}) {
      const answer = await client.send({ method: 'GET', path, query });
      if (!answer.ok) throw new Refused(refusalText(answer));
      return answer.body;
    },
    async nameOf(path) {
      const answer = await client.send({ method: 'GET', path });
      if (answer.ok) return String(answer.body['name']);
      if (answer.failure.type !== 'refused') throw new Refused(refusalText(answer));
      return '-';
    },
    async post(path, body) {
      const answer = await client.send({
        method: 'POST',
        path,
        body,
        idempotencyKey: randomUUID(),
      });
      if (!answer.ok) throw new Refused(refusalText(answer));
      return answer.body;
    },
  };
}

function refusalText({ failure, mayBeDone = false }: Failed): string {
  if (failure.type === 'refused' && failure.code === 'unauthorized')
    return 'The server rejects the key in PAGER_API_KEY. It is wrong, revoked or expired.';
  const issues = issuesText(failure);
  const doubt = mayBeDone ? ' It may be done anyway.' : '';
  const hint =
    failure.type === 'unreachable' || failure.type === 'not_pager'
      ? ' If Pager has another address, set PAGER_BASE_URL to it, including /api/v1.'
      : '';
  return `${failureText(failure)}${issues && ` ${issues}`}${doubt}${hint}`;
}

type Kind = { readonly route: string; readonly noun: string };

/** An active record by its id, its counter or its name. */
export async function findRecord(api: Api, kind: Kind, word: string): Promise<Fields> {
  const { route, noun } = kind;
  if (isKey(word)) return api.get(`/${route}/${word}`);
  const named = await all(api, `/${route}`, { name: word });
  const [record, ...others] = named;
  if (record !== undefined && others.length === 0) return record;
  if (record !== undefined) {
    const counters = named.map(({ counter }) => counter).join(', ');
    throw new Refused(
      `There are ${named.length} ${noun}s with the name ${word}. Use the counter, one of ${counters}.`,
    );
  }
  const names = (await all(api, `/${route}`)).map(({ name }) => String(name));
  throw new Refused(`There is no ${noun} ${word}.${suggested(nearest(word, names))}`);
}

const isKey = (word: string) => /^(?:\d{1,9}|[0-9a-f]{24})$/.test(word);

async function all(api: Api, path: string, query: Query = {}): Promise<readonly Fields[]> {
  const listed = await listAll(api.client, path, query);
  if (!listed.ok) throw new Refused(refusalText(listed));
  return listed.value;
}

/** For scripts: what the API answered, on one line. */
export const jsonLine = (body: Fields): string => `${JSON.stringify(body)}\n`;

/** A list in an answer of the API. */
export const listIn = (body: Fields, name: string): readonly Fields[] => {
  const list = body[name];
  return Array.isArray(list) ? list : [];
};

/** An object in an answer of the API; null: there is none. */
export const objectIn = (body: Fields, name: string): Fields | null => {
  const value = body[name];
  return isObject(value) ? value : null;
};

/** A time as people write it, for the API. */
export function timeOf(text: string, { zone }: Terminal): string {
  const at = readTime(text, zone);
  if (at === null)
    throw new Misused(
      `${text} is not a time. Use a form such as 2026-11-30T18:00 or 2026-11-30T18:00+01:00.`,
    );
  return at;
}

/** The number of an incident, as people write it. */
export function numberOf(word: string): number {
  const [, number] = /^(?:INC-)?([1-9]\d{0,8})$/i.exec(word) ?? [];
  if (number === undefined) throw new Misused(`${word} is not the number of an incident.`);
  return Number(number);
}
