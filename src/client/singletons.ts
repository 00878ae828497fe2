// What an organization has exactly one of: creating it changes it, and its end restores defaults.
import type { Resource } from '../resources/declaration/resource.ts';
import { type Failed, failed, type Result } from './answer.ts';
import type { RecordOf, Records } from './records.ts';

/** The same records, and singletons as if they were some. */
export function withSingletons(all: Records, direct: Records): Records {
  /** That of the API key, which may be another organization's. */
  async function read<R extends Resource>(resource: R, key: string): Promise<Result<RecordOf<R>>> {
    const one = await direct.read(resource, key);
    return one.ok && key !== resource.name && one.value.id !== key ? none(resource) : one;
  }

  return {
    ...all,
    read: (resource, key) => (resource.isSingleton ? read(resource, key) : all.read(resource, key)),
    create: (resource, creation) =>
      resource.isSingleton
        ? direct.update(resource, { id: '', before: {}, fields: creation.fields })
        : all.create(resource, creation),
    async update(resource, change) {
      if (!resource.isSingleton) return all.update(resource, change);
      const current = await read(resource, change.id);
      return current.ok ? direct.update(resource, change) : current;
    },
    async archive(resource, ending) {
      if (!resource.isSingleton) return all.archive(resource, ending);
      const current = await read(resource, ending.id);
      if (!current.ok) return current;
      return ending.only?.length === 0
        ? { ok: true, value: { id: ending.id, warnings: [] } }
        : direct.archive(resource, ending);
    },
  };
}

const none = ({ name }: Resource): Failed =>
  failed({
    type: 'refused',
    status: 404,
    code: 'not_found',
    message: `this is not the ${name} of the API key`,
    issues: [],
    requestId: '',
  });
