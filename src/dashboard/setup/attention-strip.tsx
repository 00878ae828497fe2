import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { personName } from '../../resources/person-name.ts';
import { mayAct, type Role } from '../../resources/roles.ts';
import { readBody } from '../api/pager.ts';
import { sessionQuery } from '../api/queries.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Moment } from '../ui/moment.tsx';
import { type Facts, type Line, linesOf, type Timeline } from './attention.ts';
import { useHasPage } from './known-page.ts';
import { words } from './words.ts';

const { attention } = words;
const REFRESH_MS = 5 * 60_000;

/** Facts above the list that somebody should know or can mend; nothing where there are none. */
export function AttentionStrip() {
  const { data: session } = useQuery(sessionQuery);
  const { data: facts } = useQuery({
    queryKey: ['attention', session?.user.id],
    enabled: session !== undefined,
    refetchInterval: REFRESH_MS,
    queryFn: () => readFacts(session?.user ?? { id: '', role: 'viewer' }),
  });
  const lines = facts ? linesOf(facts) : [];
  if (lines.length === 0) return null;
  return (
    <ul
      aria-label={attention.label}
      className="mx-3 mb-2 divide-y divide-line rounded-lg border border-line bg-surface md:mx-4"
    >
      {lines.map((line) => (
        <li key={keyOf(line)} className="flex items-start gap-2.5 px-3 py-2 md:items-center">
          <LineShown line={line} />
        </li>
      ))}
    </ul>
  );
}

type Reader = { readonly id: string; readonly role: string };
type Reached = { readonly reason?: string };
type People = {
  readonly data: readonly { readonly id: string; first_name: string; last_name: string }[];
  readonly reachability: Readonly<Record<string, Reached>>;
};
type Timelines = { readonly from: string; readonly data: readonly Timeline[] };
type Channels = { readonly data: readonly { channel: string; reason?: string }[] };

async function readFacts({ id, role }: Reader): Promise<Facts> {
  const may = (needed: Role) => mayAct({ role: role as Role }, needed);
  const [timelines, people, channels] = await Promise.all([
    readBody<Timelines>('/on-calls/timeline', { limit: '200' }),
    readBody<People>('/users', {
      ...{ active: 'true', reachable: 'false', include: 'reachability', limit: '200' },
    }),
    may('admin') ? readBody<Channels>('/channels') : null,
  ]);
  const mail = channels?.data.find(({ channel }) => channel === 'email')?.reason ?? null;
  // Where no mail leaves, that is the reason for all who have nothing else.
  const unreachable = people.data
    .filter(() => mail === null || !may('admin'))
    .map((one) => {
      const name = personName(one);
      return [one.id, { name, reason: people.reachability[one.id]?.reason ?? '' }] as const;
    });
  return {
    ...{ me: id, isManager: may('manager'), timelines: timelines.data, mail },
    unreachable: new Map(unreachable),
    now: timelines.from,
  };
}

const keyOf = (line: Line) =>
  [line.kind, 'schedule' in line && line.schedule.id, 'id' in line && line.id].join(' ');

function LineShown({ line }: { line: Line }) {
  const has = useHasPage();
  switch (line.kind) {
    case 'unreachable':
      return (
        <LineText icon="bell-off" isBad fix={has('/me') ? ['/me', attention.fix.me] : null}>
          {attention.unreachable} <Reason text={line.reason} />
        </LineText>
      );
    case 'shift':
      return (
        <LineText icon="radio">
          {attention.shift(line.schedule.name)} {attention.until} <Moment at={line.end} />
        </LineText>
      );
    case 'mail':
      return (
        <LineText icon="bell-off" isBad>
          {line.reason}
        </LineText>
      );
    case 'person':
      return (
        <LineText
          icon="bell-off"
          isBad
          fix={has('/users/$id') ? [`/users/${line.id}`, attention.fix.person] : null}
        >
          {attention.person(line.name, line.schedule.name)} <Reason text={line.reason} />
        </LineText>
      );
    case 'gap':
      return (
        <LineText
          icon="bell-off"
          isBad
          fix={
            has('/on-calls/$id') ? [`/on-calls/${line.schedule.id}`, attention.fix.schedule] : null
          }
        >
          {attention.gap(line.schedule.name)} <Moment at={line.gap.start} /> {attention.until}{' '}
          <Moment at={line.gap.end} />
          {line.more > 0 && `, ${attention.moreGaps(line.more)}`}
        </LineText>
      );
  }
}

const Reason = ({ text }: { text: string }) => <span className="text-ink2">{text}</span>;

type LineTextProps = {
  icon: IconName;
  isBad?: boolean;
  fix?: readonly [href: string, text: string] | null;
  children: ReactNode;
};

const LineText = ({ icon, isBad = false, fix = null, children }: LineTextProps) => (
  <>
    <Icon
      name={icon}
      className={`mt-0.5 size-4 shrink-0 md:mt-0 ${isBad ? 'text-red' : 'text-ink2'}`}
    />
    <p className="min-w-0 flex-1 text-pretty wrap-break-word">{children}</p>
    {fix && (
      <a
        href={fix[0]}
        className="shrink-0 font-medium text-iris underline-offset-2 hover:underline"
      >
        {fix[1]}
      </a>
    )}
  </>
);
