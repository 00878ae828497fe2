// What a replay of past events came to: before and after, side by side.
import type { ReactNode } from 'react';
import type { Failure } from '../../client/answer.ts';
import { valueText } from '../form/labels.ts';
import { channelName } from '../ui/channel.ts';
import { FailedWrite } from '../ui/failed-write.tsx';
import { Moment } from '../ui/moment.tsx';
import { useNow } from '../ui/now.ts';
import { Warnings } from '../ui/warnings.tsx';
import {
  barsOf,
  type Compared,
  changesOf,
  type Difference,
  type Outcome,
  type PageSent,
  type ReplayAnswer,
  spanOf,
} from './replay.ts';
import { words } from './words.ts';

export const ReplayFailed = ({ failure }: { failure: Failure }) =>
  failure.type === 'refused' && failure.code === 'rate_limited' ? (
    <p role="alert" className="font-medium text-red">
      {words.busy}
    </p>
  ) : (
    <FailedWrite failure={failure} />
  );

/** What the two bars of each comparison are called. */
type Sides = { readonly saved: string; readonly proposed: string };

export function Replayed({ answer, sides }: { answer: ReplayAnswer; sides: Sides }) {
  const { events, incidents, pages, warnings, from, to } = answer;
  const now = useNow();
  return (
    <>
      <p className="text-ink2">
        {spanOf({ from, to }, now)} · {words.read(events.read)}
        {events.unreadable > 0 && ` · ${words.unreadable(events.unreadable)}`}
      </p>
      <Warnings warnings={warnings} />
      <Comparison title={words.incidents} compared={incidents} sides={sides}>
        {(one) => <IncidentChange difference={one} />}
      </Comparison>
      <Comparison title={words.pages} compared={pages} sides={sides}>
        {(one) => <PageChange difference={one} />}
      </Comparison>
    </>
  );
}

type ComparisonProps<Of> = {
  title: string;
  compared: Compared<Of>;
  sides: Sides;
  children: (difference: Difference<Of>) => ReactNode;
};

function Comparison<Of>({ title, compared, sides, children }: ComparisonProps<Of>) {
  const kinds = (['added', 'removed', 'changed'] as const).filter(
    (kind) => compared[kind].count > 0,
  );
  const bars = barsOf(compared);
  return (
    <div>
      <h3 className="font-medium">{title}</h3>
      <dl className="mt-1 flex flex-col gap-1">
        <Bar text={sides.saved} count={compared.saved} percent={bars.saved} />
        <Bar text={sides.proposed} count={compared.proposed} percent={bars.proposed} />
      </dl>
      {kinds.length === 0 && <p className="mt-2 text-ink2">{words.noDifference}</p>}
      {kinds.map((kind) => {
        const { count, examples } = compared[kind];
        return (
          <details key={kind} open className="mt-2">
            <summary className="cursor-pointer font-medium pointer-coarse:py-2.5">
              {words[kind]}: {count.toLocaleString()}
            </summary>
            <ul>
              {examples.map((one, index) => (
                // One event can open several incidents and send several pages.
                <li
                  key={`${one.event_id} ${index}`}
                  className="grid gap-x-3 border-b border-line py-1.5 last:border-b-0 sm:grid-cols-[9rem_minmax(0,1fr)]"
                >
                  <span className="text-ink3">
                    <Moment at={one.at} />
                  </span>
                  <span className="min-w-0 wrap-anywhere">
                    <bdi>{one.title}</bdi>
                    <span className="block text-ink2 empty:hidden">{children(one)}</span>
                  </span>
                </li>
              ))}
            </ul>
            {count > examples.length && (
              <p className="text-ink2">{words.moreExamples(count - examples.length)}</p>
            )}
          </details>
        );
      })}
    </div>
  );
}

const Bar = ({ text, count, percent }: { text: string; count: number; percent: number }) => (
  <div className="grid grid-cols-[9rem_3rem_minmax(0,1fr)] items-center gap-2">
    <dt className="text-ink2">{text}</dt>
    <dd className="contents">
      <span className="text-end font-medium">{count.toLocaleString()}</span>
      <svg aria-hidden="true" className="h-3 w-full text-ink2" preserveAspectRatio="none">
        <rect width={`${percent}%`} height="100%" fill="currentColor" />
      </svg>
    </dd>
  </div>
);

function IncidentChange({ difference: { saved, proposed } }: { difference: Difference<Outcome> }) {
  if (saved === null || proposed === null) return null;
  return changesOf(saved, proposed)
    .map((sides) => words.changedTo(...(sides.map(shown) as [string, string])))
    .join(', ');
}

const shown = (text: string): string => (text === '' ? words.nothing : valueShown(text));

const valueShown = (text: string): string => (/^(p|sev)\d$/.test(text) ? valueText(text) : text);

function PageChange({ difference: { saved, proposed } }: { difference: Difference<PageSent> }) {
  const page = proposed ?? saved;
  if (page === null) return null;
  const who = words.pageOf(page.to, channelName(page.channel));
  if (saved === null || proposed === null) return who;
  return (
    <>
      {who}: <Moment at={saved.at} /> → <Moment at={proposed.at} />
    </>
  );
}
