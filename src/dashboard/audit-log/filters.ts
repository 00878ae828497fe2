import { instantOfText } from '../oncall/axis.ts';
import { dayAfter } from '../ui/days.ts';
import type { AuditSearch } from './search.ts';

/** As the API takes it: the days are whole, on the clock of the zone. */
export function queryOf({ actor, type, record, action, from, to }: AuditSearch, zone: string) {
  const first = from && startOf(from, zone);
  const end = to && startOf(dayAfter(to, 1), zone);
  return {
    ...(actor && { actor_id: actor }),
    ...(type && { record_type: type }),
    ...(record && { record_id: record }),
    ...(action && { action }),
    ...(first && { from: first }),
    ...(end && { to: end }),
  };
}

function startOf(day: string, zone: string): string | undefined {
  const at = instantOfText(zone, `${day}T00:00`);
  return at === null ? undefined : new Date(at).toISOString();
}
