import { Link } from '@tanstack/react-router';
import type { Use } from './queries.ts';
import { words } from './words.ts';

/** Where the record's page is; other kinds have none yet. */
const pages: Readonly<Record<string, string | undefined>> = { oncall_schedule: '/on-calls' };

/** Of an override: that of its schedule. */
const pageOf = (type: string, id: string) => pages[type] && `${pages[type]}/${id}`;

export function UseList({ uses }: { uses: readonly Use[] }) {
  if (uses.length === 0) return <p className="text-ink2">{words.noUses}</p>;
  return (
    <ul>
      {uses.map(({ type, id, name, oncall_schedule_id: schedule }) => (
        <li
          key={id}
          className="flex items-baseline gap-3 border-b border-line py-2 last:border-b-0"
        >
          <UseName href={pageOf(schedule ? 'oncall_schedule' : type, schedule ?? id)} name={name} />
          <span className="ms-auto shrink-0 text-sm text-ink3">{words.usesOf[type] ?? type}</span>
        </li>
      ))}
    </ul>
  );
}

const UseName = ({ href, name }: { href: string | undefined; name: string }) =>
  href === undefined ? (
    <bdi className="min-w-0 truncate">{name}</bdi>
  ) : (
    <Link to={href} className="min-w-0 truncate underline decoration-line hover:decoration-ink">
      <bdi>{name}</bdi>
    </Link>
  );
