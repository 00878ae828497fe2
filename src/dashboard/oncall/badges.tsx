import { Badges } from '../records/record-page.tsx';
import { schedules } from './kind.ts';
import type { Schedule } from './queries.ts';

/** That it is archived, with the way back, or written by Terraform. */
export const ScheduleBadges = ({ schedule }: { schedule: Schedule }) => (
  <Badges kind={schedules} record={schedule} />
);
