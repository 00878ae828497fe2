import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { PageRow } from '../pages/page-row.tsx';
import { Loaded } from '../ui/loaded.tsx';
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
            <>
              <ul className="flex flex-col gap-3">
                {pages.map((page) => (
                  <li key={page.key}>
                    <PageRow page={page} />
                  </li>
                ))}
              </ul>
              <p className="mt-3">
                <Link to="/pages" search={{ person: userId }} className="underline">
                  {words.allPages}
                </Link>
              </p>
            </>
          )
        }
      </Loaded>
    </Section>
  );
}
