import { ageOf } from '../ui/age.ts';
import { PersonMark } from '../ui/person-mark.tsx';
import { ageText, TimeAgo } from '../ui/time-ago.tsx';
import { type Handler, type Incident, stateOf } from './incident.ts';
import { NextCell } from './next-cell.tsx';
import { words } from './words.ts';

/** Who has it, or who is paged next; in red and amber, that nobody has and nobody is. */
export function WhoCell({ incident }: { incident: Incident }) {
  const { status, next } = incident;
  if (status === 'resolved') return <Resolver incident={incident} />;
  const isTriggered = stateOf(incident) === 'triggered';
  const who = status === 'acknowledged' ? <Owner incident={incident} /> : pagingOf(incident);
  return (
    <>
      {who}
      {next && <NextCell next={next} isUrgent={isTriggered && who === null} />}
    </>
  );
}

/** Null: what happens next says it. */
function pagingOf({ paging, reached = [], next }: Incident) {
  const names = reached.map(({ name }) => name);
  switch (paging) {
    case 'admins_only':
      return (
        <span className="text-red">
          {words.paging.admins_only}
          {names.length > 0 && (
            <>
              , <bdi>{words.notified(names)}</bdi>
            </>
          )}
        </span>
      );
    case 'nobody_reached':
      return <span className="text-red">{words.paging.nobody_reached}</span>;
    case 'unanswered':
      return <span className="text-amber">{words.paging.unanswered}</span>;
    case 'waiting':
    case 'sending':
      return next === undefined ? <span>{words.paging[paging]}</span> : null;
    case 'paged':
      return next?.type === 'step' || next?.type === 'repeat' ? null : <Paged reached={reached} />;
    default:
      return null;
  }
}

function Paged({ reached }: { reached: NonNullable<Incident['reached']> }) {
  const [first, ...others] = reached;
  return (
    <span className="incident-person">
      {words.paged}
      {first?.user_id !== undefined && <PersonMark id={first.user_id} name={first.name} />}
      {first && <bdi className="min-w-0 truncate text-ink">{first.name}</bdi>}
      {others.length > 0 && <span>+{others.length}</span>}
    </span>
  );
}

function Owner({ incident: { handled_by, acknowledged_at } }: { incident: Incident }) {
  const at = handled_by?.at ?? acknowledged_at;
  return (
    <span className="incident-person">
      {handled_by ? <Name of={handled_by} /> : words.acknowledged}
      {at !== undefined && <TimeAgo at={at} className="shrink-0" />}
    </span>
  );
}

function Resolver({ incident }: { incident: Incident }) {
  const { handled_by, created_at, resolved_at } = incident;
  if (handled_by === undefined || resolved_at === undefined) return null;
  const took = ageOf(Date.parse(created_at), Date.parse(resolved_at));
  return (
    <span className="incident-person">
      <span className="shrink-0">{words.resolvedBy}</span>
      <Name of={handled_by} />
      {took && <span className="shrink-0">{words.resolvedIn(ageText(took))}</span>}
    </span>
  );
}

function Name({ of: { type, id, name } }: { of: Handler }) {
  if (type === 'timer') return <span>{words.timer}</span>;
  return (
    <>
      {type === 'user' && id !== undefined && <PersonMark id={id} name={name} />}
      <bdi className="min-w-0 truncate text-ink">{name}</bdi>
    </>
  );
}
