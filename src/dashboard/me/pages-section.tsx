import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { NoticeList } from '../incident/sent/notice-list.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Moment } from '../ui/moment.tsx';
import { Section } from '../ui/section.tsx';
import { pagesQuery } from './queries.ts';
import { words } from './words.ts';

/** The latest pages to the person, and what became of each. */
export function PagesSection({ userId }: { userId: string }) {
  const query = useQuery(pagesQuery(userId));
  return (
    <Section title={words.pages} text={words.pagesText}>
      <Loaded query={query}>
        {(pages) =>
          pages.length === 0 ? (
            <p className="text-ink2">{words.noPages}</p>
          ) : (
            <ul className="flex flex-col gap-3">
              {pages.map((page) => (
                <li key={page.key}>
                  <Link
                    to="/incidents/$number"
                    params={{ number: String(page.incident_number) }}
                    className="font-medium underline"
                  >
                    INC-{page.incident_number}
                  </Link>{' '}
                  <Moment at={page.created_at} />
                  <NoticeList notices={[page]} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}
