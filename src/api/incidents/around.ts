// What the page of an acting link shows beside its incident.
import type { Clock } from '../../engine/clock.ts';
import type { Log } from '../../engine/log.ts';
import type { Incident } from '../../incidents/incident.ts';
import { whatIsNext } from '../../incidents/next.ts';
import { nextText } from '../../notices/words/next.ts';
import { readTime } from '../../notices/words/times.ts';
import { readConfiguration } from '../../storage/configuration/past-configuration.ts';
import { surroundingsOf } from '../../storage/incidents/surroundings.ts';
import type { Around } from '../pages/acting.ts';
import type { LinkPower } from './links.ts';
import type { ConfigurationParts } from './next.ts';

type AroundParts = ConfigurationParts & { readonly clock: Clock; readonly log: Log };

export const aroundIncident =
  ({ sql, configurations, clock, log }: AroundParts) =>
  async ({ userId }: LinkPower, incident: Incident): Promise<Around | null> => {
    const now = clock.now();
    const { organization_id: organizationId } = incident;
    try {
      const known = await surroundingsOf(sql, incident, userId);
      const parts = { sql, configurations };
      const { configuration } = await readConfiguration(parts, { organizationId, from: now, now });
      const [next = null] = whatIsNext(incident, { configuration, now }, 1).upcoming;
      const when = (at: Temporal.Instant) => readTime(at, { timezone: known.timezone, now });
      return { ...known, next: nextText(incident, next, { when }) };
    } catch (err) {
      log.warn(
        { err, incident: incident.id },
        'the page of a link is incomplete because data could not be read',
      );
      return null;
    }
  };
