import type { Resource } from '../../resources/declaration/resource.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import type { Records } from '../../storage/records/records.ts';

/** The same records; tells of each write of a schedule once it is committed. */
export function watchedRecords(records: Records, written: () => void): Records {
  async function then<T>(resource: Resource, writing: Promise<T>): Promise<T> {
    const result = await writing;
    if (resource.name === oncallSchedule.name) written();
    return result;
  }
  return {
    ...records,
    create: (resource, act, decide) => then(resource, records.create(resource, act, decide)),
    update: (resource, change, decide) => then(resource, records.update(resource, change, decide)),
    archive: (resource, change) => then(resource, records.archive(resource, change)),
    restore: (resource, change) => then(resource, records.restore(resource, change)),
  };
}
