// Records over the API, by their declarations.
import type { Static } from 'typebox';
import type { Resource } from '../resources/declaration/resource.ts';
import type { Answer, Fields, Result } from './answer.ts';
import type { Client, Query } from './client.ts';
import { isAsWritten } from './own-write.ts';
import { listAll, notPager, readPage } from './pages.ts';
import { isSame, patchOf } from './patch.ts';

/** What every record has, and what its declaration says; what only the service sets, untyped. */
export type RecordOf<R extends Resource> = Fields &
  Static<R['input']> & {
    readonly id: string;
    readonly counter: number;
    readonly version: number;
    readonly team_id: string;
    /** Null or absent: the record is active. */
    readonly archived_at?: string | null;
  };
export type Saved<R extends Resource> = {
  readonly record: RecordOf<R>;
  /** What whoever wrote it should know. */
  readonly warnings: readonly string[];
};
/** Archived, or ended by the change that its declaration names. */
export type Ended = Fields & {
  readonly id: string;
  readonly warnings: readonly string[];
};
export type RecordPage<R extends Resource> = {
  readonly data: readonly RecordOf<R>[];
  readonly next_cursor: string | null;
};
export type Creation = {
  readonly fields: Fields;
  /** The team when the fields name none. */
  readonly teamId?: string | undefined;
  /** That of an earlier creation, with the same fields: what is answered is what that one made. */
  readonly key?: string;
};
export type Ending = {
  readonly id: string;
  /** Refused as `stale_version` if the record has another one. */
  readonly version?: number | undefined;
  /** Of a singleton: the fields that return to their defaults. */
  readonly only?: readonly string[];
};
/** The whole record before and after. Only what differs is sent: what neither names, stays. */
export type Change = Ending & { readonly before: Fields; readonly fields: Fields };

export type Rotation = { readonly id: string; readonly key: string };

export type Records = {
  create<R extends Resource>(resource: R, creation: Creation): Promise<Result<Saved<R>>>;
  /** By id or counter. A schedule comes with the identity and the anchor of each layer. */
  read<R extends Resource>(resource: R, key: string): Promise<Result<RecordOf<R>>>;
  update<R extends Resource>(resource: R, change: Change): Promise<Result<Saved<R>>>;
  /** Gives the record another secret, once for each key. */
  rotate<R extends Resource>(resource: R, rotation: Rotation): Promise<Result<Saved<R>>>;
  archive(resource: Resource, ending: Ending): Promise<Result<Ended>>;
  /** All of them, page after page; active ones unless the filter says `archived`. */
  list<R extends Resource>(resource: R, filter?: Query): Promise<Result<readonly RecordOf<R>[]>>;
  /** One page of the active ones. */
  page<R extends Resource>(resource: R, cursor: string | null): Promise<Result<RecordPage<R>>>;
};

type RecordsParts = { readonly newKey?: () => string };

const randomKey = () => crypto.randomUUID();

export function createRecords(client: Client, { newKey = randomKey }: RecordsParts = {}): Records {
  async function get<R extends Resource>(resource: R, path: string): Promise<Result<RecordOf<R>>> {
    const answer = await client.send({ method: 'GET', path });
    if (!answer.ok) return answer;
    return isRecord(resource, answer.body) ? { ok: true, value: answer.body } : noRecord(client);
  }

  async function end(
    resource: Resource,
    { id, version }: Ending,
    body: Fields,
  ): Promise<Result<Ended>> {
    const path = at(resource, id);
    const answer = await client.send({ method: 'PATCH', path, version, body });
    if (isStale(answer)) {
      // Perhaps by ourselves: the answer to an earlier try may have been lost on its way.
      const current = await get(resource, path);
      if (current.ok && isSame({ ...current.value, ...body }, current.value))
        return { ok: true, value: { id, warnings: [] } };
    }
    if (!answer.ok) return answer;
    return { ok: true, value: { id, warnings: textsOf(answer.body['warnings']) } };
  }

  return {
    read: (resource, key) => get(resource, `${at(resource, key)}${resource.detailRoute}`),

    async create<R extends Resource>(resource: R, creation: Creation) {
      const { fields, teamId, key = newKey() } = creation;
      const request = { method: 'POST', path: `/${resource.route}`, body: fields, teamId } as const;
      const answer = await client.send({ ...request, idempotencyKey: key });
      const saved = savedOf(client, resource, answer);
      return answer.ok && !saved.ok ? { ...saved, mayBeDone: true } : saved;
    },

    async update<R extends Resource>(resource: R, change: Change) {
      const { id, version, before, fields } = change;
      const path = at(resource, id);
      const body = patchOf(before, fields);
      const answer = await client.send({ method: 'PATCH', path, body, version });
      if (isStale(answer) && version !== undefined) {
        // Perhaps by ourselves: the answer to an earlier try may have been lost on its way.
        const current = await get(resource, path);
        const write = { before: version, fields, sent: Object.keys(body) };
        if (current.ok && isAsWritten(resource, write, current.value))
          return { ok: true, value: { record: current.value, warnings: [] } };
      }
      return savedOf(client, resource, answer);
    },

    async rotate<R extends Resource>(resource: R, { id, key }: Rotation) {
      const path = `${at(resource, id)}/rotate-${resource.rotates}`;
      const answer = await client.send({ method: 'POST', path, body: {}, idempotencyKey: key });
      const saved = savedOf(client, resource, answer);
      return answer.ok && !saved.ok ? { ...saved, mayBeDone: true } : saved;
    },

    async archive(resource, { id, version, only }) {
      const path = at(resource, id);
      const { ending } = resource;
      if (ending !== null)
        return end(resource, { id, version }, only ? part(ending, only) : ending);
      const answer = await client.send({ method: 'DELETE', path, version });
      if (!answer.ok) return answer;
      const { warnings } = answer.body;
      const isRemoved = !('archived_at' in resource.output.properties) && answer.body['id'] === id;
      if (!isArchived(answer.body) && !isRemoved) return notPager(client, 'no confirmation');
      return { ok: true, value: { ...answer.body, id, warnings: textsOf(warnings) } };
    },

    async list<R extends Resource>(resource: R, filter?: Query) {
      const all = await listAll(client, `/${resource.route}`, filter);
      if (!all.ok) return all;
      return all.value.every((one) => isRecord(resource, one))
        ? { ok: true, value: all.value }
        : noRecord(client);
    },

    async page<R extends Resource>(resource: R, cursor: string | null) {
      const query: Query = cursor === null ? {} : { cursor };
      const page = await readPage(client, `/${resource.route}`, query);
      if (!page.ok) return page;
      const { data, next_cursor } = page.value;
      return data.every((one) => isRecord(resource, one))
        ? { ok: true, value: { data, next_cursor } }
        : noRecord(client);
    },
  };
}

export const isArchived = (record: Fields) => typeof record['archived_at'] === 'string';

/** Whether its lists leave out what only a route of each record reads. */
export const hasDetailRoute = ({ detailRoute }: Resource) => detailRoute !== '';

export const at = ({ route, isSingleton }: Resource, key: string) =>
  isSingleton ? `/${route}` : `/${route}/${encodeURIComponent(key)}`;

const part = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));

/** The API answers by the same declarations, so what every record has stands for the rest. */
function isRecord<R extends Resource>({ output }: R, body: Fields): body is RecordOf<R> {
  const isVersioned = typeof body['version'] === 'number' || !('version' in output.properties);
  return typeof body['id'] === 'string' && isVersioned;
}

const noRecord = (client: Client) => notPager(client, 'no record');

const isStale = (answer: Answer) =>
  !answer.ok && answer.failure.type === 'refused' && answer.failure.code === 'stale_version';

function savedOf<R extends Resource>(
  client: Client,
  resource: R,
  answer: Answer,
): Result<Saved<R>> {
  if (!answer.ok) return answer;
  const { warnings, ...record } = answer.body;
  if (!isRecord(resource, record)) return noRecord(client);
  return { ok: true, value: { record, warnings: textsOf(warnings) } };
}

export const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
