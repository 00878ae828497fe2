// What managers do with a schedule as a whole: another one like it, and its end.
import { ArchiveRecord } from '../records/archive.tsx';
import { CloneSchedule } from './clone.tsx';
import { schedules } from './kind.ts';
import type { Schedule } from './queries.ts';

export const Manage = ({ schedule }: { schedule: Schedule }) => (
  <div className="border-t border-line print:hidden">
    <CloneSchedule schedule={schedule} />
    {schedule.archived_at === undefined && <ArchiveRecord kind={schedules} record={schedule} />}
  </div>
);
