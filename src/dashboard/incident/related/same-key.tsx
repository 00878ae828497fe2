import { Link } from '@tanstack/react-router';
import { stateOf } from '../../incidents/incident.ts';
import { StateShape } from '../../ui/state-shape.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { box, Card } from '../card.tsx';
import type { Incident } from '../incident.ts';
import { words as pageWords } from '../words.ts';
import { useSameKey } from './queries.ts';
import { words } from './words.ts';

/** Whether it is always the same: further alerts, and earlier incidents. */
export function SameKey({ incident }: { incident: Incident }) {
  const { suppressed_count, repeat_count, dedup_key } = incident;
  const { data: others = [] } = useSameKey(incident);
  if (suppressed_count === 0 && repeat_count === 0) return null;
  return (
    <Card title={words.sameKey}>
      <div className={`${box} flex flex-col gap-2`}>
        <p className="text-sm text-ink3 wrap-anywhere">
          <bdi>{dedup_key}</bdi>
        </p>
        {suppressed_count > 0 && <p>{words.suppressed(suppressed_count)}</p>}
        {repeat_count > 0 && <p>{words.repeats(repeat_count)}</p>}
        {others.length > 0 && (
          <ul>
            {others.map((other) => (
              <li key={other.id}>
                <Link
                  to="/incidents/$number"
                  params={{ number: `${other.number}` }}
                  className="-mx-2 flex min-h-8 items-center gap-2 rounded-md px-2 hover:bg-sunken pointer-coarse:min-h-11"
                >
                  <StateShape state={stateOf(other)} />
                  <span>{pageWords.number(other.number)}</span>
                  <TimeAgo at={other.created_at} className="ms-auto text-ink2" />
                </Link>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}
