import { useQuery } from '@tanstack/react-query';
import { personName } from '../../resources/person-name.ts';
import { peopleQuery } from '../people/queries.ts';
import { CalendarLinks } from '../ui/calendar-links.tsx';
import { Section } from '../ui/section.tsx';
import { words as listWords, calendarTabWords as words } from './words.ts';

export function CalendarTab({ id }: { id: string }) {
  const { data: members = [] } = useQuery(peopleQuery);
  const nameOf = (userId: string) => {
    const person = members.find((one) => one.id === userId);
    return person ? personName(person) : listWords.somebody;
  };
  return (
    <Section title={words.title} text={words.text}>
      <CalendarLinks
        of={{ oncall_schedule_id: id }}
        labelOf={({ user_id }) =>
          user_id === undefined ? words.everybody : words.ofPerson(nameOf(user_id))
        }
      />
    </Section>
  );
}
