// A page that cannot be read, handed out or recorded waits: the team's admins are paged once instead.
import { configurationIn } from '../../incidents/configuration.ts';
import type { Outcome } from '../../incidents/incident.ts';
import { notifyAdmins } from '../../incidents/notify.ts';
import { byChannel } from '../../resources/channels.ts';
import { changesOf } from '../intake/batch-state.ts';
import type { FailureAt } from '../ports/incidents.ts';
import type { OutboxKey, SendingTx, UnreadableNotice } from '../ports/sending.ts';

const unreadableError = new Error('it cannot be read, and pages of it wait');

/** Has a notice that fails alone wait. */
export async function setAside(tx: SendingTx, key: OutboxKey, failure: FailureAt): Promise<void> {
  const unreadable = await tx.postponeNotice(key, failure);
  await notifyOfUnreadable(tx, unreadable === null ? [] : [unreadable], failure.now);
}

export async function notifyOfUnreadable(
  tx: SendingTx,
  notices: readonly UnreadableNotice[],
  now: Temporal.Instant,
): Promise<void> {
  const pages = notices.filter(({ kind }) => kind === 'page');
  const perOrganization = Map.groupBy(pages, ({ organization_id }) => organization_id);
  for (const [organizationId, own] of perOrganization) {
    const ids = [...new Set(own.flatMap(({ incident_id }) => incident_id ?? []))];
    const incidents = await tx.lockIncidents(organizationId, ids);
    const configurations = await tx.configurations([organizationId], now);
    const configuration = configurationIn(configurations, organizationId);
    const outcomes = own.flatMap(({ key, channel, incident_id }): Outcome[] => {
      const incident = incidents.find(({ id }) => id === incident_id);
      if (incident?.status !== 'triggered') return [];
      const why = `A page ${byChannel(channel)} could not be sent, or recorded as sent; you are an admin of the team`;
      const once = `unreadable/${key}`;
      const options = { kind: 'not_all_paged', rank: 0, why, once } as const;
      return [{ ...notifyAdmins(incident, configuration, options), incident, allClear: false }];
    });
    for (const id of ids)
      if (!incidents.some((incident) => incident.id === id))
        await tx.postponeIncident(
          { organization_id: organizationId, id },
          { error: unreadableError, now },
        );
    await tx.save(changesOf(outcomes, { opened: [], changed: [] }), now);
  }
}
