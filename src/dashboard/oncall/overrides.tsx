import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { failureText } from '../../client/answer.ts';
import { useWrite } from '../api/use-write.ts';
import { Button } from '../ui/button.tsx';
import { useNow } from '../ui/now.ts';
import { membersQuery, type Override, overridesQuery, type Schedule } from './queries.ts';
import { nameOf } from './schedules.ts';
import { spanText } from './times.ts';
import { words as listWords, scheduleWords as words } from './words.ts';

type OverridesProps = { schedule: Schedule; mayCover: boolean };

/** Those that run or are yet to come. */
export function Overrides({ schedule, mayCover }: OverridesProps) {
  const { data } = useQuery(overridesQuery(schedule.id));
  const { data: members = [] } = useQuery(membersQuery);
  if (data === undefined || data.length === 0) return null;
  const names = new Map(members.map((one) => [one.id, nameOf(one)]));
  return (
    <section aria-labelledby="overrides">
      <h2 id="overrides" className="text-lg font-bold">
        {words.overridesTitle}
      </h2>
      <ul className="mt-1 max-w-3xl">
        {data.map((override) => (
          <Row key={override.id} {...{ override, schedule, names, mayCover }} />
        ))}
      </ul>
    </section>
  );
}

type RowProps = OverridesProps & { override: Override; names: ReadonlyMap<string, string> };

function Row({ override, schedule, names, mayCover }: RowProps) {
  const now = useNow();
  const [isConfirming, setConfirming] = useState(false);
  const write = useWrite(['on-calls']);
  const { user_id, replaces_user_id, start, end, comment } = override;
  const name = names.get(user_id) ?? listWords.somebody;
  const who =
    replaces_user_id === undefined
      ? name
      : listWords.nameForOther(name, names.get(replaces_user_id) ?? listWords.somebody);
  const remove = () =>
    write.send({
      ...{ method: 'DELETE', path: `/on-calls/${schedule.id}/overrides/${override.id}` },
      version: override.version,
    });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line py-2">
      <div className="min-w-0 flex-1">
        <p className="font-medium">
          <bdi>{who}</bdi>
        </p>
        <p className="text-sm text-ink2">
          {spanText(schedule.timezone, { start: Date.parse(start), end: Date.parse(end) }, now)}
        </p>
        {comment && (
          <p className="text-sm break-words text-ink2">
            <bdi>{comment}</bdi>
          </p>
        )}
        {write.failure && (
          <p role="alert" className="text-sm font-medium text-red">
            {failureText(write.failure)}
          </p>
        )}
      </div>
      {mayCover && !isConfirming && (
        <Button aria-label={`${words.remove}: ${who}`} onClick={() => setConfirming(true)}>
          {words.remove}
        </Button>
      )}
      {isConfirming && (
        <div className="flex gap-2">
          <Button onClick={() => setConfirming(false)}>{words.keep}</Button>
          <Button kind="danger" disabled={write.isPending} onClick={() => void remove()}>
            {words.removeSurely}
          </Button>
        </div>
      )}
    </li>
  );
}
