// Settings that stand below a record: they are there as soon as it is, and their defaults hold again
// once they are taken away; or there are none until they are written.
import type { Resource } from '../resources/declaration/resource.ts';
import { type Failed, type Fields, failed, type Result } from './answer.ts';
import type { Client } from './client.ts';
import { isSame, patchOf } from './patch.ts';
import { at, type RecordOf, type Records, type Saved, textsOf } from './records.ts';

type Write = { readonly method: 'PUT' | 'PATCH'; readonly body: Fields };
type Request = Write | { readonly method: 'GET' | 'DELETE' };

/** The same records, and settings as if they were some, each with the id of its owner. */
export function withSettings(records: Records, client: Client): Records {
  async function send<R extends Resource>(
    resource: Resource,
    id: string,
    request: Request,
  ): Promise<Result<Saved<R>>> {
    const path = `${at(resource, id)}${resource.detailRoute}`;
    const answer = await client.send({ ...request, path });
    if (!answer.ok) return answer;
    const { warnings, ...settings } = answer.body;
    const owner = String(resource.owner);
    // Whoever names it by its counter is told its id.
    const ownerId = settings[owner] ?? id;
    const record = { ...settings, id: ownerId, [owner]: ownerId } as unknown as RecordOf<R>;
    return { ok: true, value: { record, warnings: textsOf(warnings) } };
  }

  async function read<R extends Resource>(resource: R, key: string): Promise<Result<RecordOf<R>>> {
    const answered = await send<R>(resource, key, { method: 'GET' });
    if (!answered.ok) return answered;
    const { record } = answered.value;
    return isNone(resource, record) ? none(resource) : { ok: true, value: record };
  }

  /** What somebody else wrote is not written over by whoever does not know of it. */
  async function create<R extends Resource>(resource: R, id: string, body: Fields) {
    const known = resource.noneAt === '' ? undefined : await read(resource, id);
    if (known?.ok && !isSame(withoutOwner(resource, body), writtenOf(resource, known.value)))
      return taken(resource);
    if (known && !known.ok && !isNotFound(known)) return known;
    return send<R>(resource, id, { method: 'PUT', body });
  }

  const withoutOwner = ({ owner }: Resource, fields: Fields): Fields =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => name !== owner));

  return {
    ...records,
    create<R extends Resource>(resource: R, creation: Parameters<Records['create']>[1]) {
      if (resource.owner === null) return records.create(resource, creation);
      const { [resource.owner]: id } = creation.fields;
      return create<R>(resource, String(id), withoutOwner(resource, creation.fields));
    },
    read: <R extends Resource>(resource: R, key: string) =>
      resource.owner === null ? records.read(resource, key) : read(resource, key),
    update<R extends Resource>(resource: R, change: Parameters<Records['update']>[1]) {
      if (resource.owner === null) return records.update(resource, change);
      const { id, before, fields } = change;
      return resource.noneAt === ''
        ? send<R>(resource, id, { method: 'PATCH', body: patchOf(before, fields) })
        : send<R>(resource, id, { method: 'PUT', body: withoutOwner(resource, fields) });
    },
    async archive(resource, ending) {
      if (resource.owner === null) return records.archive(resource, ending);
      const isReset = resource.noneAt === '';
      const request: Request = isReset ? { method: 'PUT', body: {} } : { method: 'DELETE' };
      const reset = await send(resource, ending.id, request);
      return reset.ok
        ? { ok: true, value: { id: ending.id, warnings: reset.value.warnings } }
        : reset;
    },
  };
}

const isNone = ({ noneAt }: Resource, record: Fields): boolean => {
  const list = record[noneAt];
  return Array.isArray(list) && list.length === 0;
};

const writtenOf = ({ fields, owner }: Resource, record: Fields): Fields =>
  Object.fromEntries(
    Object.keys(fields).flatMap((name) => (name === owner ? [] : [[name, record[name]]])),
  );

const refused = { type: 'refused', message: '', issues: [], requestId: '' } as const;
const none = ({ name }: Resource): Failed =>
  failed({ ...refused, status: 404, code: 'not_found', message: `there is no ${name}` });
const isNotFound = ({ failure }: Failed) =>
  failure.type === 'refused' && failure.code === 'not_found';
function taken({ owner }: Resource): Failed {
  const message = 'already has a different one: import it first';
  const issues = [{ path: String(owner), message }];
  return failed({ ...refused, status: 409, code: 'conflict', issues });
}
