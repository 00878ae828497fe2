import { useWrite } from '../api/use-write.ts';
import { Button } from '../ui/button.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import { ownZone } from '../ui/zones.ts';
import { words } from './words.ts';

/** To whoever never chose a time zone, and has another one than the organization. */
export function OfferZone({ organizationZone }: { organizationZone: string }) {
  const zone = ownZone();
  const { send, isPending, failure } = useWrite(['session'], ['users']);
  if (zone === organizationZone) return null;
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-line bg-sunken px-3 py-2">
      <p className="min-w-0 flex-1 basis-52 text-sm text-pretty">
        {words.zoneOffer(zone, organizationZone)}
      </p>
      <Button
        aria-disabled={isPending}
        onClick={() =>
          !isPending && void send({ method: 'PATCH', path: '/users/me', body: { timezone: zone } })
        }
      >
        {words.useZone(zone)}
      </Button>
      <FailedWrite failure={failure} />
    </div>
  );
}
