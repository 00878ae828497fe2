// When something is tried: now, or at a time that the reader picks on their own clock.
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/queries.ts';
import { useNow } from '../ui/now.ts';
import { Radios } from '../ui/radios.tsx';
import { ownZone } from '../ui/zones.ts';
import { isOtherTime, onBothClocks } from './both-clocks.ts';
import { InstantField } from './instant-field.tsx';
import { fullText } from './times.ts';
import type { When } from './when.ts';
import { atTimeWords as words } from './words.ts';

type AtTimeProps = {
  label: string;
  /** What is not picked: now, unless it says otherwise. */
  proposed?: string | undefined;
  when: When;
  /** On whose clock the time is shown, too; the organization's when absent. */
  zone?: string | undefined;
  choose: (when: When) => void;
};

export function AtTime({ label, proposed = words.now, when, zone, choose }: AtTimeProps) {
  return (
    <div className="flex flex-col gap-2">
      <Radios
        choices={[
          { text: proposed, isChosen: when === null, choose: () => choose(null) },
          {
            text: words.other,
            isChosen: when !== null,
            choose: () => choose(when ?? { at: undefined }),
          },
        ]}
      />
      {when !== null && (
        <InstantField
          path=""
          label={label}
          help={<Shown at={when.at} zone={zone} />}
          instant={when.at}
          timezone={ownZone()}
          onChange={(at) => choose({ at })}
        />
      )}
    </div>
  );
}

/** The same time where the schedules are. */
function Shown({ at, zone }: { at: string | undefined; zone: string | undefined }) {
  const now = useNow();
  const { data: session } = useQuery(sessionQuery);
  const other = zone ?? session?.organization.timezone;
  const ms = at === undefined ? Number.NaN : Date.parse(at);
  if (other === undefined || Number.isNaN(ms) || !isOtherTime(other, ownZone(), ms))
    return words.help;
  return onBothClocks(other, ms, (one) => fullText(one, ms, now));
}
