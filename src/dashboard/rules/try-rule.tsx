// A rule tried on a past event or a sample: beside each condition, whether it matched and why.
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { PagerError, readComputed } from '../api/pager.ts';
import { ofItsOwn } from '../api/queries.ts';
import { useMay } from '../api/use-may.ts';
import type { Draft } from '../form/draft.ts';
import { usePicks } from '../form/picks.ts';
import { eventText } from '../integration/integration.ts';
import { AtTime } from '../oncall/at-time.tsx';
import { Button } from '../ui/button.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import { SelectField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { Warnings } from '../ui/warnings.tsx';
import { recentEventsQuery } from './queries.ts';
import { SampleFields } from './sample-fields.tsx';
import {
  noSource,
  type RuleTest,
  type Source,
  type TriedAlert,
  trialBody,
  trialSimulation,
} from './trial.ts';
import { words } from './words.ts';
import { WouldNotify } from './would-notify.tsx';

type TryRuleProps = {
  rule: Draft;
  /** Absent: it is not saved yet. */
  id: string | undefined;
  teamId: string | undefined;
  eventId: string | undefined;
};

export function TryRule({ rule, id: ruleId, teamId, eventId = '' }: TryRuleProps) {
  const id = useId();
  const [source, setSource] = useState<Source>({ ...noSource, eventId });
  const [sent, setSent] = useState<Draft>();
  const isAllowed = useMay('manager') === true;
  const { data: events = [] } = useQuery(recentEventsQuery(source.integrationId));
  const body = trialBody(rule, source);
  const simulation = trialSimulation(source, events);
  const { data, error, isFetching } = useQuery({
    queryKey: ['alert-rules', 'test', sent],
    queryFn: () => readComputed<RuleTest>('/alert-rules/test', sent ?? {}),
    enabled: sent !== undefined,
    ...ofItsOwn,
    retry: false,
    retryOnMount: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!isAllowed) return null;
  const isStale = sent !== undefined && JSON.stringify(sent) !== JSON.stringify(body);
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <div>
        <h2 id={id} className="text-lg font-bold">
          {words.tryTitle}
        </h2>
        <p className="text-pretty text-ink2">{words.tryText}</p>
      </div>
      <SourceFields source={source} teamId={teamId} onChange={setSource} />
      <Button
        className="self-start"
        disabled={body === undefined || isFetching}
        onClick={() => setSent(body)}
      >
        {isFetching ? words.trying : words.tryRule}
      </Button>
      <div role="status" className="flex flex-col gap-3 empty:hidden">
        {isStale && <p className="text-ink2">{words.stale}</p>}
        {error instanceof PagerError && !isStale && <FailedWrite failure={error.failure} />}
        {data && !isStale && (
          <>
            <Warnings warnings={data.warnings} />
            {data.alerts.map((alert) => (
              <Tried key={alert.dedup_key} alert={alert} />
            ))}
            {simulation && (
              <WouldNotify rule={rule} id={ruleId} teamId={teamId} simulation={simulation} />
            )}
          </>
        )}
      </div>
    </section>
  );
}

type SourceFieldsProps = {
  source: Source;
  teamId: string | undefined;
  onChange: (source: Source) => void;
};

function SourceFields({ source, teamId, onChange }: SourceFieldsProps) {
  const integrations = usePicks('integration', teamId) ?? [];
  const { data: events } = useQuery(recentEventsQuery(source.integrationId));
  const change = (fields: Partial<Source>) => onChange({ ...source, ...fields });
  const isKnown = events?.some(({ id }) => id === source.eventId) === true;
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <SelectField
        path=""
        label={words.tryOn}
        value={source.kind}
        options={(['event', 'sample'] as const).map((value) => ({
          value,
          text: words.sources[value],
        }))}
        onChange={(kind) => change({ kind: kind as Source['kind'] })}
      />
      <SelectField
        path=""
        label={words.integration}
        value={source.integrationId}
        options={[
          { value: '', text: words.chooseIntegration },
          ...integrations.map(({ value, label }) => ({ value, text: label })),
        ]}
        onChange={(integrationId) => change({ integrationId, eventId: '' })}
      />
      {source.kind === 'event' ? (
        <SelectField
          path=""
          label={words.event}
          help={events?.length === 0 ? words.noEvents : undefined}
          value={source.eventId}
          options={[
            { value: '', text: words.chooseEvent },
            ...(source.eventId !== '' && !isKnown
              ? [{ value: source.eventId, text: words.chosenEvent }]
              : []),
            ...(events ?? []).map((event) => ({ value: event.id, text: eventText(event) })),
          ]}
          onChange={(eventId) => change({ eventId })}
        />
      ) : (
        <SampleFields sample={source.sample} onChange={(sample) => change({ sample })} />
      )}
      <AtTime
        label={words.arrivesAt}
        proposed={source.kind === 'event' ? words.asItArrived : undefined}
        when={source.when}
        choose={(when) => change({ when })}
      />
    </div>
  );
}

function Tried({ alert }: { alert: TriedAlert }) {
  const { title, action, matched, scope, groups, effects } = alert;
  return (
    <article className="rounded-lg border border-line p-3">
      <h3 className="font-medium wrap-anywhere">
        <bdi>{title}</bdi>
      </h3>
      {action !== 'trigger' && <p className="text-ink2">{words.ended}</p>}
      <Outcome matched={matched} text={matched ? words.matches : words.doesNotMatch} isHead />
      <ul className="mt-2 flex flex-col gap-2">
        <li>
          <Outcome matched={scope.matched} text={scope.text} />
        </li>
        {groups.map((group, index) => (
          // The groups of a rule have no names, and are shown in its order.
          <li key={index}>
            <p className="text-sm text-ink3">{words.group(index + 1)}</p>
            <ul className="flex flex-col gap-1">
              {group.conditions.map((condition, at) => (
                <li key={at}>
                  <Outcome {...condition} />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {matched && (
        <>
          <h4 className="mt-3 font-medium">{words.effects}</h4>
          {effects.length === 0 ? (
            <p className="text-ink2">{words.doesNothing}</p>
          ) : (
            <ul className="list-disc ps-5">
              {effects.map((effect) => (
                <li key={effect} className="wrap-anywhere">
                  {effect}
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </article>
  );
}

type OutcomeProps = { matched: boolean; text: string; isHead?: boolean };

const Outcome = ({ matched, text, isHead = false }: OutcomeProps) => (
  <p className={`flex items-start gap-2 ${isHead ? 'mt-1 font-medium' : ''}`}>
    <Icon
      name={matched ? 'check' : 'x'}
      className={`mt-0.5 size-4 shrink-0 ${matched ? 'text-green' : 'text-ink3'}`}
    />
    <span className="min-w-0 wrap-anywhere">
      {!isHead && <span className="sr-only">{matched ? words.held : words.notHeld}: </span>}
      {text}
    </span>
  </p>
);
