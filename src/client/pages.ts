// Lists of the API, page by page.
import { isObject } from '../resources/declaration/is-object.ts';
import { type Failed, type Failure, type Fields, failed, type Result } from './answer.ts';
import type { Client, Query } from './client.ts';

const PAGE_SIZE = 200;

export type Page = {
  readonly data: readonly Fields[];
  readonly next_cursor: string | null;
  /** Why some that belong to it are not in it. */
  readonly missing: readonly string[];
};

export async function readPage(
  client: Client,
  path: string,
  query: Query = {},
): Promise<Result<Page>> {
  const limited = { limit: String(PAGE_SIZE), ...query };
  const answer = await client.send({ method: 'GET', path, query: limited });
  if (!answer.ok) return answer;
  const { data, next_cursor, unreadable = [] } = answer.body;
  const missing = Array.isArray(unreadable) ? unreadable.filter(isObject).map(reasonOf) : [];
  const isPage =
    Array.isArray(data) &&
    data.every(isObject) &&
    (next_cursor === null || (typeof next_cursor === 'string' && next_cursor !== query['cursor']));
  return isPage ? { ok: true, value: { data, next_cursor, missing } } : notPager(client, `no list`);
}

/** All pages of a list: `listAll(client, '/users', { email })`. */
export async function listAll(
  client: Client,
  path: string,
  query: Query = {},
): Promise<Result<readonly Fields[]>> {
  const all: Fields[] = [];
  let cursor: string | null = null;
  do {
    const page = await readPage(client, path, { ...query, ...(cursor !== null && { cursor }) });
    if (!page.ok) return page;
    // Who asks for all of them takes one that is not there for one that does not exist.
    const [missing] = page.value.missing;
    if (missing !== undefined) return failed(unreadable(missing));
    all.push(...page.value.data);
    cursor = page.value.next_cursor;
  } while (cursor !== null);
  return { ok: true, value: all };
}

/** A list that the API answers whole, as its route takes no pages. */
export async function listWhole(
  client: Client,
  path: string,
  query: Query = {},
): Promise<Result<readonly Fields[]>> {
  const answer = await client.send({ method: 'GET', path, query });
  if (!answer.ok) return answer;
  const { data } = answer.body;
  const isList = Array.isArray(data) && data.every(isObject);
  return isList ? { ok: true, value: data } : notPager(client, 'no list');
}

const reasonOf = ({ reason }: Fields) => String(reason);

const unreadable = (message: string): Failure => ({
  type: 'refused',
  status: 500,
  code: 'internal',
  message,
  issues: [],
  requestId: '',
});

/** It answers in JSON, but not what was asked for. */
export const notPager = ({ address }: Client, what: string): Failed =>
  failed({ type: 'not_pager', address, why: `its answer is ${what}` });
