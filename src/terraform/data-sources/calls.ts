// Terraform's calls about data sources, answered alike for all of them.
import type { Fields } from '../../client/answer.ts';
import type { Query } from '../../client/client.ts';
import { type RequestOf, type ResponseOf, received, sending } from '../calls/dynamic-value.ts';
import { failureDiagnostics, notConnected, notUnderstood } from '../calls/failures.ts';
import { keepMasked, secretsLeftOut } from '../calls/masked.ts';
import { readOnlyErrors } from '../calls/read-only.ts';
import { fieldOf, isObject, readJson } from '../convert.ts';
import { type Diagnostic, errorDiagnostic, problemText } from '../diagnostics.ts';
import { teamPath } from '../lookups.ts';
import { inWords } from '../managed.ts';
import { Unknown, type Value } from '../protocol/value.ts';
import { objectType } from '../schema.ts';
import type { Connection, Session } from '../session.ts';
import { type DataSource, inSentence } from './data-source.ts';
import { dataSources } from './index.ts';

function dataSourceAs(typeName: string): DataSource {
  const source = dataSources.find((one) => one.typeName === typeName);
  if (source === undefined) throw new Error(`there is no data source ${typeName}`);
  return source;
}

export function validateDataSource({
  type_name,
  config,
}: RequestOf<'ValidateDataResourceConfig'>): ResponseOf<'ValidateDataResourceConfig'> {
  const source = dataSourceAs(type_name);
  const value = received(objectType(source.attributes), config);
  const problems = source.problems?.(textsOf(value), value) ?? [];
  return {
    diagnostics: [
      ...readOnlyErrors(source.attributes, value),
      ...keyProblems(source.keys, value),
      ...problems.map((problem) => errorDiagnostic(problemText(problem))),
    ],
  };
}

/** Of what is unknown it may turn out that it is not set. */
function keyProblems(keys: readonly string[], config: Value): Diagnostic[] {
  if (keys.length === 0) return [];
  const empty = keys.filter((name) => fieldOf(config, name) === '');
  if (empty.length > 0)
    return empty.map((path) =>
      errorDiagnostic(problemText({ path, message: 'must not be empty' })),
    );
  const set = keys.filter((name) => fieldOf(config, name) !== null);
  const known = set.filter((name) => !(fieldOf(config, name) instanceof Unknown));
  if (known.length <= 1 && set.length >= 1) return [];
  const detail = `Set exactly one of ${inSentence(keys)}.`;
  return [errorDiagnostic({ summary: 'The lookup is ambiguous', detail, path: keys[0] ?? '' })];
}

export async function readDataSource(
  { connection }: Session,
  { type_name, config }: RequestOf<'ReadDataSource'>,
): Promise<ResponseOf<'ReadDataSource'>> {
  const source = dataSourceAs(type_name);
  const type = objectType(source.attributes);
  const configured = received(type, config);
  const query = textsOf(configured);
  const what = source.noun ?? inWords(type_name.replace('pager_', ''));
  const doing = `look up the ${what}`;
  if (connection === null) return { diagnostics: [notConnected(doing)] };
  const noTeam = await teamErrors(connection, query, doing);
  if (noTeam.length > 0) return { diagnostics: noTeam };
  const result = await source.find(connection, query, configured);
  if (!result.ok) return { diagnostics: failureDiagnostics(doing, result.failure) };
  const [one, ...others] = result.value;
  if (one === undefined) {
    const help = await source.ifNone?.(connection, query);
    return { diagnostics: [none(what, query, help)] };
  }
  if (others.length > 0) return { diagnostics: [several(what, query, result.value)] };
  const more = await source.more?.(connection, one);
  // What is configured is echoed as it is written.
  const state = readJson(source.attributes, { ...one, ...more, ...writtenIn(configured) });
  if (state === undefined) return { diagnostics: [notUnderstood(doing)] };
  const { value, isMasked } = keepMasked(source.attributes, null, state);
  const diagnostics = [...(source.warnings?.(one) ?? []), ...(isMasked ? [secretsLeftOut] : [])];
  return { state: sending(type, value), diagnostics };
}

/** The API answers an empty list for a team that it does not show: what goes by it would be destroyed. */
async function teamErrors(
  { lookups }: Connection,
  { team_id }: Query,
  doing: string,
): Promise<readonly Diagnostic[]> {
  if (team_id === undefined) return [];
  const team = await lookups.at(teamPath(team_id));
  if (!team.ok) return failureDiagnostics(doing, team.failure);
  const message = `${team_id} does not match any team that the API key can see`;
  return team.value === null ? [errorDiagnostic(problemText({ path: 'team_id', message }))] : [];
}

const fieldsOf = (config: Value) => (isObject(config) ? Object.entries(config) : []);

/** What is configured and known; numbers as a query has them. */
function textsOf(config: Value): Query {
  const isKnown = (value: Value) => typeof value === 'string' || typeof value === 'number';
  const known = fieldsOf(config).filter(([, value]) => isKnown(value));
  return Object.fromEntries(known.map(([name, value]) => [name, String(value)]));
}

const writtenIn = (config: Value): Fields =>
  Object.fromEntries(fieldsOf(config).filter(([, value]) => typeof value === 'string'));

const CANDIDATES_MAX = 20;

function none(what: string, query: Query, help = ''): Diagnostic {
  const detail = `The API key can see no active ${criteria(what, query)}. ${help}`.trim();
  return errorDiagnostic({ summary: `No such ${what}`, detail });
}

function several(what: string, query: Query, matches: readonly Fields[]): Diagnostic {
  const named = matches.slice(0, CANDIDATES_MAX).map(candidate);
  const detail = [`${matches.length} active records match. Choose one by its id:`, ...named];
  const summary = `More than one ${criteria(what, query)}`;
  return errorDiagnostic({ summary, detail: detail.join('\n') });
}

const criteria = (what: string, query: Query) =>
  `${what} with ${inSentence(Object.entries(query).map(([name, value]) => `${name} ${JSON.stringify(value)}`))}`;

function candidate({ id, counter, team_id }: Fields): string {
  const about = [counter && `counter ${counter}`, team_id && `team ${team_id}`].filter(Boolean);
  return about.length === 0 ? `- ${id}` : `- ${id} (${about.join(', ')})`;
}
