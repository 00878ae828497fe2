import { useState } from 'react';
import { useWrite } from '../api/use-write.ts';
import { Button } from '../ui/button.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import { ownZone, zonesWith } from '../ui/zones.ts';
import { formWords } from './form-words.ts';

/** That of the browser in one press, or another one. */
export function ChooseZone({ kind }: { kind: 'primary' | 'plain' }) {
  const [zone, setZone] = useState(ownZone);
  const { send, isPending, failure } = useWrite(['attention'], ['session'], ['incidents']);
  return (
    <div className="flex min-w-0 flex-col items-start gap-1">
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        <select
          aria-label={formWords.zone}
          value={zone}
          onChange={({ target }) => setZone(target.value)}
          className="h-9 max-w-full min-w-0 rounded-md border border-edge bg-surface px-2 pointer-coarse:h-11 pointer-coarse:text-lg"
        >
          {zonesWith(zone).map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        <Button
          kind={kind}
          aria-disabled={isPending}
          onClick={() =>
            !isPending &&
            void send({ method: 'PATCH', path: '/organization', body: { timezone: zone } })
          }
        >
          {formWords.useZone(zone)}
        </Button>
      </div>
      <FailedWrite failure={failure} />
    </div>
  );
}
