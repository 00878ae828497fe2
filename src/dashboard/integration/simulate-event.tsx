// What an event of the log would do with the rules and policies of now. Nobody is paged.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { PagerError, readComputed } from '../api/pager.ts';
import type { AnySearch } from '../records/record.ts';
import { channelName } from '../ui/channel.ts';
import { FailedWrite } from '../ui/failed-write.tsx';
import { Icon } from '../ui/icon.tsx';
import { Reading } from '../ui/loaded.tsx';
import { Warnings } from '../ui/warnings.tsx';
import type { Event } from './integration.ts';
import {
  afterText,
  recipientOf,
  type SimulatedNotice,
  type SimulatedRule,
  type Simulation,
  simulationBody,
} from './simulation.ts';
import { words as all } from './words.ts';

const words = all.events;

export function SimulateEvent({ id, event }: { id: string; event: Event }) {
  const { data, error } = useQuery({
    queryKey: ['integrations', id, 'simulation', event.id],
    queryFn: () => readComputed<Simulation>('/simulate', simulationBody(id, event) ?? {}),
    retry: false,
    retryOnMount: false,
    refetchOnWindowFocus: false,
  });
  if (data === undefined)
    return error instanceof PagerError ? <FailedWrite failure={error.failure} /> : <Reading />;
  return (
    <section
      aria-label={words.simulation}
      className="my-2 flex flex-col gap-3 rounded-lg border border-line p-3"
    >
      <p className="text-sm text-ink2">{words.simulationText}</p>
      <Warnings warnings={data.warnings} />
      {data.alerts.map(({ dedup_key, title, outcome, reason, rules }) => (
        <div key={dedup_key}>
          <p className="font-medium wrap-anywhere">
            <bdi>{title}</bdi>: {all.outcomes[outcome] ?? outcome}
          </p>
          {reason !== null && <p className="text-ink2 wrap-anywhere">{reason}</p>}
          <p className="mt-1 text-sm text-ink3">
            {rules.length === 0 ? words.noRules : words.rules}
          </p>
          <ul className="empty:hidden">
            {rules.map((rule) => (
              <Rule key={rule.id} rule={rule} eventId={event.id} />
            ))}
          </ul>
        </div>
      ))}
      <div>
        <p className="font-medium">{words.paged}</p>
        {data.notices.length === 0 && <p className="text-ink2">{words.nobodyPaged}</p>}
        <ol className="empty:hidden">
          {data.notices.map((notice, index) => (
            // One person can get several alike.
            <Notice key={`${notice.after_seconds} ${index}`} notice={notice} />
          ))}
        </ol>
        <p className="text-sm text-ink3">{data.ended.text}</p>
      </div>
    </section>
  );
}

const Rule = ({ rule, eventId }: { rule: SimulatedRule; eventId: string }) => (
  <li className="flex items-start gap-2">
    <Icon
      name={rule.matched ? 'check' : 'x'}
      className={`mt-1 size-4 shrink-0 ${rule.matched ? 'text-green' : 'text-ink3'}`}
    />
    <Link
      to="/alert-rules/$id"
      params={{ id: rule.id }}
      search={({ team }: AnySearch) => ({
        ...(typeof team === 'string' && { team }),
        tab: 'try',
        event: eventId,
      })}
      className="inline-flex min-h-6 min-w-0 items-center underline pointer-coarse:min-h-11"
    >
      <bdi className="wrap-anywhere">{rule.name}</bdi>
    </Link>
    <span className="shrink-0 text-ink2">{words.ruleStates[stateOf(rule)]}</span>
  </li>
);

const stateOf = ({ matched, applied }: SimulatedRule) =>
  applied ? 'applied' : matched ? 'matched' : 'notMatched';

const Notice = ({ notice }: { notice: SimulatedNotice }) => (
  <li className="grid gap-x-3 sm:grid-cols-[8rem_minmax(0,1fr)]">
    <span className="text-ink3">{words.after(afterText(notice.after_seconds))}</span>
    <span className={`min-w-0 wrap-anywhere ${notice.deliverable ? '' : 'text-red'}`}>
      {words.notice(recipientOf(notice), channelName(notice.channel))}
      {notice.reason !== null && `: ${notice.reason}`}
    </span>
  </li>
);
