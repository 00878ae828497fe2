// Lists of the API, page by page.
import { isObject } from '../resources/declaration/validate.ts';
import { type Failed, type Fields, failed, type Result } from './answer.ts';
import type { Client, Query } from './client.ts';

const PAGE_SIZE = 200;

export type Page = {
  readonly data: readonly Fields[];
  readonly next_cursor: string | null;
};

export async function readPage(
  client: Client,
  path: string,
  query: Query = {},
): Promise<Result<Page>> {
  const limited = { limit: String(PAGE_SIZE), ...query };
  const answer = await client.send({ method: 'GET', path, query: limited });
  if (!answer.ok) return answer;
  const { data, next_cursor } = answer.body;
  const isPage =
    Array.isArray(data) &&
    data.every(isObject) &&
    (next_cursor === null || (typeof next_cursor === 'string' && next_cursor !== query['cursor']));
  return isPage ? { ok: true, value: { data, next_cursor } } : notPager(client, `no list`);
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
    all.push(...page.value.data);
    cursor = page.value.next_cursor;
  } while (cursor !== null);
  return { ok: true, value: all };
}

/** It answers in JSON, but not what was asked for. */
export const notPager = ({ address }: Client, what: string): Failed =>
  failed({ type: 'not_pager', address, why: `its answer is ${what}` });
