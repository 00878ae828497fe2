import { Icon } from '../../ui/icon.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Section } from '../../ui/section.tsx';
import { Warnings } from '../../ui/warnings.tsx';
import { countTexts } from './count-text.ts';
import {
  type Alert,
  isChanged,
  isReadAnew,
  type Row,
  rowsOf,
  type Trial,
  type TriedEvent,
} from './trial.ts';
import { words } from './words.ts';

type TrialSectionProps = {
  trial: Trial;
  /** It is of a body that no event brought. */
  isOfBody: boolean;
  /** It is of the mapping, and of the body, as they are written now. */
  isCurrent: boolean;
};

/** What the mapping would change, in sentences, and event by event. */
export function TrialSection({ trial, isOfBody, isCurrent }: TrialSectionProps) {
  const { data, proposed, open_incidents_rekeyed: rekeyed } = trial;
  const warnings = [
    ...(proposed.has_one_key ? [words.oneKey] : []),
    ...(rekeyed > 0 ? [words.rekeyed(rekeyed)] : []),
  ];
  return (
    <Section title={words.tried} text={isOfBody ? words.triedBody : words.triedText}>
      <div className="flex max-w-3xl flex-col gap-3">
        <div role="status" className="flex flex-col gap-1">
          {!isCurrent && (
            <p className="font-medium">{isOfBody ? words.bodyOutdated : words.outdated}</p>
          )}
          {sentencesOf(trial, isOfBody).map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
        <Warnings warnings={warnings} />
        <ol>
          {data.map((event) => (
            <li key={event.event_id ?? ''} className="border-t border-line py-2">
              <Comparison event={event} isWhole={isOfBody} />
            </li>
          ))}
        </ol>
      </div>
    </Section>
  );
}

function sentencesOf(trial: Trial, isOfBody: boolean): readonly string[] {
  const { data } = trial;
  if (isOfBody) return [words.changedBody(data.some(isReadAnew))];
  return [words.changedEvents(data.filter(isReadAnew).length, data.length), ...countTexts(trial)];
}

type ComparisonProps = {
  event: TriedEvent;
  /** Shown also where nothing differs. */
  isWhole: boolean;
};

function Comparison({ event, isWhole }: ComparisonProps) {
  const when = <Moment at={event.received_at} to="second" />;
  if (!isReadAnew(event) && !isWhole)
    return (
      <p className="text-ink2 wrap-anywhere">
        <span className="text-sm">{when}</span>{' '}
        <bdi>{event.now.alerts[0]?.title ?? words.noAlert}</bdi>. {words.asNow}
      </p>
    );
  return (
    <table className="w-full table-fixed text-start">
      <caption className="text-start text-sm text-ink2">{when}</caption>
      <thead>
        <tr className="text-sm text-ink2">
          <th scope="col" className="w-20 py-1 text-start font-normal">
            <span className="sr-only">{words.part}</span>
          </th>
          <th scope="col" className="py-1 pe-3 text-start font-normal">
            {words.now}
          </th>
          <th scope="col" className="py-1 text-start font-normal">
            {words.proposed}
          </th>
        </tr>
      </thead>
      <tbody>
        {rowsOf(event).map((row) => (
          <ComparedRow key={`${row.part} ${row.alert}`} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function ComparedRow({ row }: { row: Row }) {
  const { part, alert, now, proposed } = row;
  return (
    <tr className="align-top">
      <th scope="row" className="py-0.5 pe-2 text-start text-sm font-normal text-ink2">
        {words.partOf(words.parts[part], alert)}
      </th>
      <td className="py-0.5 pe-3 wrap-anywhere">
        <Cell row={row} text={now} />
      </td>
      <td className="py-0.5 wrap-anywhere">
        {isChanged(row) ? (
          <span className="flex gap-1.5 font-medium">
            <Icon name="pencil" className="mt-0.5 size-3.5 text-iris" />
            <span className="min-w-0">
              <span className="sr-only">{words.changed}: </span>
              <Cell row={row} text={proposed} />
            </span>
          </span>
        ) : (
          <Cell row={row} text={proposed} />
        )}
      </td>
    </tr>
  );
}

function Cell({ row, text }: { row: Row; text: string | undefined }) {
  if (text === undefined) return <span className="text-ink2">{words.nil}</span>;
  // What the API answers as an action is one.
  if (row.part === 'action') return words.actions[text as Alert['action']];
  return <bdi>{text}</bdi>;
}
