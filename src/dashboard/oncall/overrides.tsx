import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { PagerError } from '../api/pager.ts';
import { useWrite } from '../api/use-write.ts';
import { namesById } from '../people/names-by-id.ts';
import { peopleQuery } from '../people/queries.ts';
import { Button } from '../ui/button.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import { useNow } from '../ui/now.ts';
import { Trouble } from '../ui/panel.tsx';
import { onBothClocks } from './both-clocks.ts';
import { type Override, overridesQuery, type Schedule } from './queries.ts';
import { spanText } from './times.ts';
import { words as listWords, scheduleWords as words } from './words.ts';

type OverridesProps = {
  schedule: Schedule;
  zone: string;
  /** On whose clock times are shown, too. */
  ownZone: string | null;
  mayCover: boolean;
};

/** Those that run or are yet to come. */
export function Overrides({ schedule, zone, ownZone, mayCover }: OverridesProps) {
  const { data, error, refetch } = useQuery(overridesQuery(schedule.id));
  const { data: members = [] } = useQuery(peopleQuery);
  const heading = useRef<HTMLHeadingElement>(null);
  const [isRemoved, setRemoved] = useState(false);
  if (data === undefined)
    return error instanceof PagerError ? (
      <Trouble title={words.overridesFailed} failure={error.failure} retry={refetch} />
    ) : null;
  if (data.length === 0 && !isRemoved) return null;
  const onRemoved = () => {
    setRemoved(true);
    heading.current?.focus();
  };
  const names = namesById(members);
  return (
    <section aria-labelledby="overrides">
      <h2 ref={heading} id="overrides" tabIndex={-1} className="text-lg font-bold">
        {words.overridesTitle}
      </h2>
      {data.length === 0 && <p className="mt-1 text-ink2">{words.noOverrides}</p>}
      <ul className="mt-1 max-w-3xl">
        {data.map((override) => (
          <Row
            key={override.id}
            override={override}
            schedule={schedule}
            zone={zone}
            ownZone={ownZone}
            names={names}
            mayCover={mayCover}
            onRemoved={onRemoved}
          />
        ))}
      </ul>
    </section>
  );
}

type RowProps = OverridesProps & {
  override: Override;
  names: ReadonlyMap<string, string>;
  onRemoved: () => void;
};

type Named = { user_id: string | null; replaces_user_id: string | undefined };

function overrideText({ user_id, replaces_user_id }: Named, nameOf: (id: string) => string) {
  if (user_id === null) return listWords.takenOff(nameOf(replaces_user_id ?? ''));
  if (replaces_user_id === undefined) return nameOf(user_id);
  return listWords.nameForOther(nameOf(user_id), nameOf(replaces_user_id));
}

/** As a ref, of what appears where the focus was. */
const focus = (element: HTMLElement | null) => element?.focus();

function Row({ override, schedule, zone, ownZone, names, mayCover, onRemoved }: RowProps) {
  const now = useNow();
  const [isConfirming, setConfirming] = useState<boolean | null>(null);
  const write = useWrite(['on-calls']);
  const { user_id, replaces_user_id, start, end, comment } = override;
  const whole = { start: Date.parse(start), end: Date.parse(end) };
  const nameOf = (id: string) => names.get(id) ?? listWords.somebody;
  const who = overrideText({ user_id, replaces_user_id }, nameOf);
  const remove = async () => {
    const removed = await write.send({
      method: 'DELETE',
      path: `/on-calls/${schedule.id}/overrides/${override.id}`,
      version: override.version,
      name: words.removeOverride,
    });
    if (removed !== null) onRemoved();
  };
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line py-2">
      <div className="min-w-0 flex-1">
        <p className="font-medium">
          <bdi>{who}</bdi>
        </p>
        <p className="text-sm text-ink2">
          {onBothClocks(zone, whole.start, (shown) => spanText(shown, whole, now), ownZone)}
        </p>
        {comment && (
          <p className="text-sm break-words text-ink2">
            <bdi>{comment}</bdi>
          </p>
        )}
        <FailedWrite failure={write.failure} />
      </div>
      {mayCover && !isConfirming && (
        <Button
          ref={isConfirming === false ? focus : null}
          aria-label={`${words.remove} ${who}`}
          onClick={() => setConfirming(true)}
        >
          {words.remove}
        </Button>
      )}
      {isConfirming && (
        <div className="flex gap-2">
          <Button onClick={() => setConfirming(false)}>{words.keep}</Button>
          <Button
            ref={focus}
            kind="danger"
            aria-disabled={write.isPending}
            onClick={() => !write.isPending && void remove()}
          >
            {words.removeSurely}
          </Button>
        </div>
      )}
    </li>
  );
}
