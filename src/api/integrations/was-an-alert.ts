// POST /integrations/:id/events/:event_id/was-an-alert: opens what an event was about that was taken
// for the end of something, where nothing of it was open.
import type { AlertResult } from '../../engine/ports/events.ts';
import type { Queries } from '../../storage/database/database.ts';
import { findIntegration } from '../../storage/incidents/events.ts';
import { integrationIdOf } from '../../storage/incidents/incidents.ts';
import { removeUnmatchedEnd } from '../../storage/organizations/attention.ts';
import { keyOf } from '../../storage/records/queries.ts';
import { timeText } from '../../storage/records/rows.ts';
import { notFound, Refusal } from '../failures.ts';
import { scopeOf } from '../incidents/request.ts';
import { ok, type Route } from '../route.ts';
import { type TestEventParts, takenAlertsShape } from './test-event.ts';

/** Of an event of a whole group, so many at most: each is an event of its own. */
const MOST = 20;

export const wasAnAlertRoute = ({
  sql,
  intake,
}: Pick<TestEventParts, 'sql' | 'intake'>): Route => ({
  method: 'POST',
  path: '/integrations/:id/events/:event_id/was-an-alert',
  tag: 'integrations',
  doc: 'Opens an incident for each alert of an event that was read as the end of a problem while no incident with its key was open.',
  role: 'responder',
  answers: { status: 202, schema: takenAlertsShape },
  async handle({ caller, params }) {
    const scope = scopeOf(caller);
    const id = keyOf(params['id'] ?? '');
    const integrationId = id && (await integrationIdOf(sql, scope, id));
    const integration = integrationId && (await findIntegration(sql, scope, integrationId));
    const event =
      integration && (await eventOf(sql, scope.organizationId, integration.id, params['event_id']));
    if (!integration || !event) throw notFound();
    const ends = (event.alerts ?? []).filter(
      ({ action, outcome, incident_id }) =>
        action === 'resolve' && outcome === 'ignored' && incident_id === null,
    );
    if (ends.length === 0)
      throw new Refusal('invalid_state', {
        message:
          'This event contains no alert that was read as the end of a problem without an open incident.',
      });
    const text = `${caller.name} opened this from the event log. An event of ${timeText(event.received_at)} was read as its end, but no incident was open.`;
    const alerts = [];
    let eventId = event.id;
    for (const { dedup_key: key } of ends.slice(0, MOST)) {
      const accepted = await intake.receive({
        organizationId: caller.organizationId,
        integrationId: integration.id,
        slug: integration.slug,
        integrationName: integration.name,
        path: '/was-an-alert',
        mapping: null,
        ...arrivalOf(integration.slug, key, text),
      });
      if (accepted.type === 'full') throw new Refusal('rate_limited', { retryAfterSeconds: 1 });
      if (accepted.type === 'archived') throw new Refusal('archived');
      if (accepted.type === 'unreadable') throw new Error(`unreadable: ${accepted.reason}`);
      eventId = accepted.eventId;
      alerts.push(...accepted.alerts);
    }
    await removeUnmatchedEnd(sql, scope.organizationId, event.id);
    return ok({ event_id: eventId, alerts }, 202);
  },
});

/** Types that read our own JSON take the key as it is. To others a mail goes, whose subject it is. */
function arrivalOf(slug: string, key: string, text: string) {
  if (slug === 'webhook' || slug === 'email') {
    const json = { title: key, dedup_key: key, status: 'trigger', body: text };
    return {
      source: 'http' as const,
      contentType: 'application/json',
      body: Buffer.from(JSON.stringify(json)),
      sent: { method: 'POST', query: '', headers: {} },
    };
  }
  return {
    source: 'mail' as const,
    contentType: 'message/rfc822',
    body: Buffer.from(`Subject: ${key}\r\n\r\n${text}\r\n`),
    mail: { subject: key, from: '', text, headers: {} },
  };
}

type Row = {
  readonly id: string;
  readonly received_at: Temporal.Instant;
  readonly alerts: readonly AlertResult[] | null;
};

async function eventOf(
  sql: Queries,
  organizationId: string,
  integrationId: string,
  id = '',
): Promise<Row | undefined> {
  const [row] = await sql<Row[]>`
    select id, received_at, alerts from events
    where organization_id = ${organizationId} and integration_id = ${integrationId} and id = ${id}`;
  return row;
}
