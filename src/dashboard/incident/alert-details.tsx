import { useState } from 'react';
import type { Pair } from '../../resources/alert-card.ts';
import { Moment } from '../ui/moment.tsx';
import { Breakable } from './alert-head.tsx';
import { box, Card } from './card.tsx';
import { cardOf, hostOf, rawText, type Sent } from './details.ts';
import type { Incident } from './incident.ts';
import { words } from './words.ts';

/** What the tool has sent: hostile until shown otherwise, so text and nothing else. */
export function AlertDetails({ incident }: { incident: Incident }) {
  const [isRaw, setRaw] = useState(false);
  if (incident.details === undefined) return null;
  const { created_at, integration_id, status } = incident;
  return (
    <Card
      title={words.alert}
      aside={cardOf(incident) !== null && <RawSwitch isRaw={isRaw} choose={() => setRaw(!isRaw)} />}
    >
      <p className="mb-1.5 text-sm text-ink3">
        {integration_id === undefined ? words.enteredAt : words.receivedAt}{' '}
        <Moment at={created_at} to="second" />
      </p>
      <AlertContent sent={incident} isRaw={isRaw} isResolved={status === 'resolved'} />
    </Card>
  );
}

type RawSwitchProps = { isRaw: boolean; choose: () => void };

export const RawSwitch = ({ isRaw, choose }: RawSwitchProps) => (
  <button
    type="button"
    aria-pressed={isRaw}
    onClick={choose}
    className="min-h-6 rounded-sm px-1 text-sm text-ink2 underline pointer-coarse:min-h-11"
  >
    {isRaw ? words.table : words.raw}
  </button>
);

type AlertContentProps = { sent: Sent; isRaw: boolean; isResolved: boolean };

export function AlertContent({ sent, isRaw, isResolved }: AlertContentProps) {
  const card = cardOf(sent, isResolved);
  if (card === null || isRaw)
    return (
      <pre className={`${box} font-mono text-sm whitespace-pre-wrap wrap-anywhere`}>
        {rawText(sent.details)}
      </pre>
    );
  const rows = [...card.annotations, ...(card.labels.length > 0 ? [] : card.rest)];
  return (
    <div className={`${box} flex flex-col gap-3`}>
      {card.labels.length > 0 && <Labels labels={card.labels} />}
      {rows.length > 0 && <Rows rows={rows} />}
      {card.labels.length + rows.length === 0 && <p className="text-ink2">{words.nothingElse}</p>}
    </div>
  );
}

const Labels = ({ labels }: { labels: readonly Pair[] }) => (
  <ul aria-label={words.labels} className="flex flex-wrap gap-1.5">
    {labels.map(({ name, value }) => (
      <li
        key={`${name} ${value}`}
        className="max-w-full rounded-md border border-line bg-sunken px-1.5 text-sm wrap-anywhere"
      >
        <bdi className="text-ink2">{name}</bdi> <Breakable text={value} />
      </li>
    ))}
  </ul>
);

const Rows = ({ rows }: { rows: readonly Pair[] }) => (
  <table className="alert-details">
    <tbody>
      {rows.map(({ name, value }) => (
        <tr key={`${name} ${value}`}>
          <th scope="row">
            <Breakable text={name} />
          </th>
          <td>
            <Value text={value} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** A value that is an address leads there, and is seen whole. */
function Value({ text }: { text: string }) {
  const shown = <Breakable text={text} />;
  if (hostOf(text) === null) return shown;
  return (
    <a href={text} target="_blank" rel="noopener noreferrer" className="text-iris underline">
      {shown}
    </a>
  );
}
