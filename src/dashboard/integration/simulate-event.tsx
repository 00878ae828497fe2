// What an event, or a sample alert, would do with the rules and policies of now. Nobody is paged.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { PagerError, readComputed } from '../api/pager.ts';
import { ofItsOwn } from '../api/queries.ts';
import type { Draft } from '../form/draft.ts';
import { AtTime } from '../oncall/at-time.tsx';
import { atOf, isWhole, type When } from '../oncall/when.ts';
import type { AnySearch } from '../records/record.ts';
import { FailedWrite } from '../ui/failed-write.tsx';
import { Icon } from '../ui/icon.tsx';
import { Reading } from '../ui/loaded.tsx';
import { Warnings } from '../ui/warnings.tsx';
import type { Event } from './integration.ts';
import { SimulatedNotices } from './simulated-notices.tsx';
import { type SimulatedRule, type Simulation, simulationBody } from './simulation.ts';
import { words as all } from './words.ts';

const words = all.events;

export function SimulateEvent({ id, event }: { id: string; event: Event }) {
  const [when, setWhen] = useState<When>(null);
  const body = simulationBody(id, event) ?? {};
  return (
    <section
      aria-label={words.simulation}
      className="my-2 flex flex-col gap-3 rounded-lg border border-line p-3"
    >
      <p className="text-sm text-ink2">{words.simulationText}</p>
      <AtTime label={words.arrivesAt} proposed={words.asItArrived} when={when} choose={setWhen} />
      {isWhole(when) && <Simulated body={{ ...body, ...atOf(when) }} eventId={event.id} />}
    </section>
  );
}

type SimulatedProps = {
  /** As POST /simulate takes it. */
  body: Draft;
  /** Of the log: its rules are tried on it. */
  eventId?: string | undefined;
};

/** Which rules match, and who is paged when. */
export function Simulated({ body, eventId }: SimulatedProps) {
  const { data, error } = useQuery({
    queryKey: ['integrations', 'simulation', body],
    queryFn: () => readComputed<Simulation>('/simulate', body),
    ...ofItsOwn,
    retry: false,
    retryOnMount: false,
    refetchOnWindowFocus: false,
  });
  if (data === undefined)
    return error instanceof PagerError ? <FailedWrite failure={error.failure} /> : <Reading />;
  return (
    <>
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
              <Rule key={rule.id} rule={rule} eventId={eventId} />
            ))}
          </ul>
        </div>
      ))}
      <SimulatedNotices simulation={data} />
    </>
  );
}

type RuleProps = { rule: SimulatedRule; eventId: string | undefined };

const Rule = ({ rule, eventId }: RuleProps) => (
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
        ...(eventId !== undefined && { event: eventId }),
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
