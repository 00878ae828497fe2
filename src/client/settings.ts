// Settings that stand below a record: they are there as soon as it is, and their defaults hold again
// once they are taken away.
import type { Resource } from '../resources/declaration/resource.ts';
import type { Fields, Result } from './answer.ts';
import type { Client } from './client.ts';
import { patchOf } from './patch.ts';
import { at, type RecordOf, type Records, type Saved, textsOf } from './records.ts';

type Write = { readonly method: 'PUT' | 'PATCH'; readonly body: Fields };

/** The same records, and settings as if they were some, each with the id of its owner. */
export function withSettings(records: Records, client: Client): Records {
  async function send<R extends Resource>(
    resource: Resource,
    id: string,
    request: Write | { readonly method: 'GET' },
  ): Promise<Result<Saved<R>>> {
    const path = `${at(resource, id)}${resource.detailRoute}`;
    const answer = await client.send({ ...request, path });
    if (!answer.ok) return answer;
    const { warnings, ...settings } = answer.body;
    const record = { ...settings, id, [String(resource.owner)]: id } as unknown as RecordOf<R>;
    return { ok: true, value: { record, warnings: textsOf(warnings) } };
  }

  const withoutOwner = ({ owner }: Resource, fields: Fields): Fields =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => name !== owner));

  return {
    ...records,
    create<R extends Resource>(resource: R, creation: Parameters<Records['create']>[1]) {
      if (resource.owner === null) return records.create(resource, creation);
      const { [resource.owner]: id } = creation.fields;
      const body = withoutOwner(resource, creation.fields);
      return send<R>(resource, String(id), { method: 'PUT', body });
    },
    async read<R extends Resource>(resource: R, key: string) {
      if (resource.owner === null) return records.read(resource, key);
      const read = await send<R>(resource, key, { method: 'GET' });
      return read.ok ? { ok: true, value: read.value.record } : read;
    },
    update<R extends Resource>(resource: R, change: Parameters<Records['update']>[1]) {
      if (resource.owner === null) return records.update(resource, change);
      const body = patchOf(change.before, change.fields);
      return send<R>(resource, change.id, { method: 'PATCH', body });
    },
    async archive(resource, ending) {
      if (resource.owner === null) return records.archive(resource, ending);
      const reset = await send(resource, ending.id, { method: 'PUT', body: {} });
      return reset.ok
        ? { ok: true, value: { id: ending.id, warnings: reset.value.warnings } }
        : reset;
    },
  };
}
