// /integrations: what is connected, and how it fares.
import { useQuery } from '@tanstack/react-query';
import { typesQuery } from '../integration/queries.ts';
import { RecordsPage } from '../records/list-page.tsx';
import { useTeams } from '../shell/team-label.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { useIsNarrow } from '../ui/use-is-narrow.ts';
import { integrations } from './kind.ts';
import { EventBars } from './last-day.tsx';
import { type Activity, activityQuery } from './queries.ts';
import { words } from './words.ts';

export function IntegrationsPage() {
  const teams = useTeams();
  const isNarrow = useIsNarrow();
  const { data: types } = useQuery(typesQuery);
  const { data: activity } = useQuery(activityQuery(teams));
  return (
    <RecordsPage
      kind={integrations}
      note={({ id, slug, description }) => {
        const type = types?.find((one) => one.slug === slug)?.name ?? String(slug);
        const reason = activity?.get(id)?.reason ?? '';
        const about = typeof description === 'string' ? description : '';
        return [type, reason, about].filter(Boolean).join(' · ');
      }}
      aside={({ id }) => {
        const one = activity?.get(id);
        if (one === undefined) return undefined;
        return (
          <>
            {!isNarrow && (
              <span className="flex w-24 shrink-0 text-ink3">
                <EventBars id={id} />
              </span>
            )}
            <State activity={one} />
          </>
        );
      }}
    />
  );
}

type Badge = { readonly icon: IconName; readonly colour: string };

const badges: Readonly<Record<Activity['state'], Badge>> = {
  waiting: { icon: 'radio', colour: 'text-ink2' },
  live: { icon: 'check', colour: 'text-green' },
  silent: { icon: 'triangle-alert', colour: 'text-amber' },
  dropping: { icon: 'triangle-alert', colour: 'text-red' },
  disabled: { icon: 'x', colour: 'text-ink2' },
};

function State({ activity: { state, last_event_at } }: { activity: Activity }) {
  const { icon, colour } = badges[state];
  return (
    <span className="flex shrink-0 flex-col items-end text-sm md:w-44">
      <span className={`inline-flex items-center gap-1.5 font-medium ${colour}`}>
        <Icon name={icon} />
        {words.states[state]}
      </span>
      {last_event_at && (
        <span className="text-ink3">
          <span className="sr-only">{words.lastEvent} </span>
          <TimeAgo at={last_event_at} isSpelledOut />
        </span>
      )}
    </span>
  );
}
