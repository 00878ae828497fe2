import { useId } from 'react';
import { visibleText } from '../../../resources/visible-text.ts';
import { FailedWrite } from '../../ui/failed-write.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Moment } from '../../ui/moment.tsx';
import { momentText } from '../../ui/moment-text.ts';
import { useNow } from '../../ui/now.ts';
import { Section } from '../../ui/section.tsx';
import { WriteButton } from '../../ui/write-button.tsx';
import { Body } from '../events-tab.tsx';
import type { Event } from '../integration.ts';
import type { Marks, Suggesting } from './suggesting.ts';
import { isSentAs, type Reading, type TriedEvent } from './trial.ts';
import { words } from './words.ts';

const sides = ['firing', 'recovered'] as const;

type ReadingsSectionProps = {
  events: readonly TriedEvent[];
  sent: readonly Event[];
  marks: Marks;
  onMark: (marks: Marks) => void;
  /** Null: whoever reads may not change the mapping. */
  suggesting: Suggesting | null;
};

/** The last events as they are read now; two of them are marked for a suggestion. */
export function ReadingsSection(props: ReadingsSectionProps) {
  const { events, sent, marks, onMark, suggesting } = props;
  const name = useId();
  const isMarked = marks.firing !== '' && marks.recovered !== '';
  return (
    <Section title={words.events} text={suggesting === null ? words.eventsRead : words.eventsText}>
      <ol aria-label={words.eventsRead} className="max-w-3xl">
        {events.map((event) => (
          <li
            key={event.event_id}
            className="grid gap-x-4 gap-y-1 border-t border-line py-2 first:border-t-0 md:grid-cols-[minmax(0,1fr)_auto]"
          >
            <div className="min-w-0">
              <ReadingText reading={event.now} at={event.received_at} />
              <Sent event={sent.find(isSentAs(event))} />
            </div>
            {suggesting !== null && (
              <MarkFields event={event} marks={marks} onMark={onMark} name={name} />
            )}
          </li>
        ))}
      </ol>
      {suggesting !== null && (
        <div className="mt-3 flex flex-col items-start gap-1">
          <WriteButton
            aria-disabled={!isMarked || suggesting.isPending}
            className="aria-disabled:opacity-50"
            onClick={() => isMarked && !suggesting.isPending && suggesting.suggest(marks)}
          >
            {suggesting.isPending ? words.suggesting : words.suggest}
          </WriteButton>
          <p role="status" className="text-sm text-pretty text-ink2">
            {suggesting.outcome ?? words.suggestHelp}
          </p>
          <FailedWrite failure={suggesting.failure} />
        </div>
      )}
    </Section>
  );
}

/** Two events may be read alike, and differ in what was sent. Its place is there before it is. */
const Sent = ({ event }: { event: Event | undefined }) => (
  <div className="min-h-6 pointer-coarse:min-h-11">{event && <Body event={event} />}</div>
);

function ReadingText({ reading: { alerts, note }, at }: { reading: Reading; at: string }) {
  const [first] = alerts;
  return (
    <div className="min-w-0 wrap-anywhere">
      <p className="text-sm text-ink2">
        <Moment at={at} to="second" />
        {' · '}
        {first ? words.actions[first.action] : words.noAlert}
      </p>
      {first && (
        <>
          <p className="font-medium">
            <bdi>{first.title}</bdi>
          </p>
          <p className="text-sm text-ink2">
            {words.parts.dedup_key}: <bdi>{first.dedup_key}</bdi>{' '}
            {alerts.length > 1 && words.more(alerts.length - 1)}
          </p>
        </>
      )}
      {note !== undefined && (
        <p className="flex items-baseline gap-1.5 text-sm text-pretty">
          <Icon name="triangle-alert" className="size-3.5 translate-y-0.5 text-amber" />
          <span className="min-w-0">{note}</span>
        </p>
      )}
    </div>
  );
}

type MarkFieldsProps = {
  event: TriedEvent;
  marks: Marks;
  onMark: (marks: Marks) => void;
  name: string;
};

/** One event is not both. */
function MarkFields({ event, marks, onMark, name }: MarkFieldsProps) {
  const { event_id: id = '', received_at, now } = event;
  const of = words.ofEvent(
    visibleText(now.alerts[0]?.title ?? words.noAlert),
    momentText(received_at, useNow(), 'second'),
  );
  const marked = (side: keyof Marks): Marks => {
    const other = side === 'firing' ? 'recovered' : 'firing';
    return { ...marks, [side]: id, ...(marks[other] === id && { [other]: '' }) };
  };
  return (
    <div className="flex gap-4 self-start">
      {sides.map((side) => (
        <label
          key={side}
          className="inline-flex items-center gap-2 pointer-coarse:min-h-11 pointer-coarse:text-lg"
        >
          <input
            type="radio"
            name={`${name}-${side}`}
            checked={marks[side] === id}
            onChange={() => onMark(marked(side))}
            className="size-4 accent-ink pointer-coarse:size-5"
          />
          <span>
            {words[side]}
            <span className="sr-only">{of}</span>
          </span>
        </label>
      ))}
    </div>
  );
}
