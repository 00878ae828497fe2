import { CalendarLinks } from '../ui/calendar-links.tsx';
import { Section } from '../ui/section.tsx';
import { words } from './words.ts';

export const CalendarSection = ({ userId }: { userId: string }) => (
  <Section title={words.calendar} text={words.calendarText}>
    <CalendarLinks
      of={{ user_id: userId }}
      labelOf={(feed) =>
        feed.oncall_schedule_id === undefined ? words.allMyShifts : words.ofOneSchedule
      }
    />
  </Section>
);
