// POST /integrations/:id/test-event: an event like those of the integration's tool, without the tool.
import { createHash } from 'node:crypto';
import Type from 'typebox';
import type { TestRequest } from '../../alerts/alert.ts';
import type { IntegrationType } from '../../alerts/integration-type.ts';
import type { Ids } from '../../engine/ids.ts';
import { type Arrival, testEventPath } from '../../engine/intake/arrival.ts';
import type { Intake } from '../../engine/intake/intake.ts';
import type { Repeatable } from '../../engine/ports/actions.ts';
import { orNull, word } from '../../resources/declaration/answer.ts';
import { id, objectOf } from '../../resources/declaration/field.ts';
import type { Queries } from '../../storage/database/database.ts';
import { findIntegration } from '../../storage/incidents/events.ts';
import { integrationIdOf } from '../../storage/incidents/incidents.ts';
import { keyOf } from '../../storage/records/queries.ts';
import { notFound, Refusal } from '../failures.ts';
import { scopeOf } from '../incidents/request.ts';
import { ok, type Route } from '../route.ts';

export type TestEventParts = {
  readonly sql: Queries;
  readonly ids: Ids;
  readonly intake: Pick<Intake, 'receive'>;
  readonly typeOf: (slug: string) => IntegrationType | undefined;
};

export const takenAlertsShape = objectOf({
  event_id: id('The event, as in the integration’s log.'),
  alerts: Type.Array(
    objectOf({
      dedup_key: word('The deduplication key of the alert.'),
      outcome: word('The outcome of the alert: opened, or accepted while it waits.'),
      incident: orNull(Type.Integer(), 'The number of its incident. Null while there is none.'),
    }),
    { description: 'The alerts of the event, in order.' },
  ),
});

export const testEventRoute = ({ sql, ids, intake, typeOf }: TestEventParts): Route => ({
  method: 'POST',
  path: '/integrations/:id/test-event',
  tag: 'integrations',
  doc: 'Sends a test event to an integration, as its tool would. The event opens an incident that is marked as a test, and people are paged.',
  role: 'manager',
  answers: { status: 202, schema: takenAlertsShape },
  async handle({ caller, params, repeatable }) {
    const scope = scopeOf(caller);
    const key = keyOf(params['id'] ?? '');
    const integrationId = key && (await integrationIdOf(sql, scope, key));
    const integration = integrationId && (await findIntegration(sql, scope, integrationId));
    if (!integration) throw notFound();
    const type = typeOf(integration.slug);
    if (!type)
      throw new Refusal('invalid_state', {
        message: 'This server does not support the type of this integration.',
      });
    const title = `Test event ${repeatable ? digestOf(repeatable) : ids.next().slice(-6)}: nothing is wrong`;
    const note = `${caller.name} sent this from Pager to test the integration ${integration.name}.`;
    const accepted = await intake.receive({
      organizationId: caller.organizationId,
      integrationId: integration.id,
      slug: integration.slug,
      integrationName: integration.name,
      path: testEventPath,
      // It has the form of the type, not that of the tool that the mapping is for.
      mapping: null,
      ...arrivalOf(type.testRequest({ title, note })),
    });
    if (accepted.type === 'full') throw new Refusal('rate_limited', { retryAfterSeconds: 1 });
    if (accepted.type === 'archived') throw new Refusal('archived');
    if (accepted.type === 'unreadable')
      throw new Error(`the test event of ${integration.slug} is unreadable: ${accepted.reason}`);
    return ok({ event_id: accepted.eventId, alerts: accepted.alerts }, 202);
  },
});

/** The deduplication key follows from the title: sent again after a crash, it pages nobody anew. */
const digestOf = ({ organizationId, caller, route, key }: Repeatable) =>
  createHash('sha256')
    .update(JSON.stringify([organizationId, caller, route, key]))
    .digest('hex')
    .slice(0, 12);

type AsSent = Pick<Arrival, 'source' | 'contentType' | 'body' | 'sent' | 'mail'>;

function arrivalOf(request: TestRequest): AsSent {
  if (request.source === 'mail') {
    const text = `Subject: ${request.subject}\r\n\r\n${request.text}\r\n`;
    return {
      source: 'mail',
      contentType: 'message/rfc822',
      body: Buffer.from(text),
      mail: request,
    };
  }
  const { json } = request;
  return {
    source: 'http',
    contentType: 'application/json',
    body: Buffer.from(JSON.stringify(json)),
    sent: { method: 'POST', query: '', headers: {} },
  };
}
