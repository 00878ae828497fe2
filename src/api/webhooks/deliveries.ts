// The log of an outbound webhook's calls, repeating one, and test calls.
import type { Faults } from '../../engine/faults.ts';
import { noWake, type Wake } from '../../engine/wake.ts';
import { outboundWebhook } from '../../resources/outbound-webhook.ts';
import { pageOf } from '../../storage/database/page.ts';
import type { Secrets } from '../../storage/sealed/secrets.ts';
import { findDelivery, listDeliveries } from '../../storage/webhooks/deliveries.ts';
import {
  type Refused,
  type RequestParts,
  redeliver,
  testWebhook,
} from '../../storage/webhooks/requested-calls.ts';
import { logSchema, removedIn } from '../answers.ts';
import { Refusal } from '../failures.ts';
import { readPage } from '../people/listing.ts';
import { actOf, idIn, route } from '../people/writing.ts';
import { paging } from '../records/list-query.ts';
import { type Call, ok, type Route } from '../route.ts';
import { renderDelivery, renderWithContent } from './render.ts';
import { deliveryShape, deliveryWithContentShape } from './shapes.ts';

export type DeliveryParts = RequestParts & {
  readonly secrets: Secrets;
  readonly faults: Faults;
  /** Called after a commit, with what it may have made due. */
  readonly committed: (wake: Wake) => void;
};

const tag = outboundWebhook.table;

export function webhookDeliveryRoutes(parts: DeliveryParts): Route[] {
  return [
    route('GET /outbound-webhooks/:id/deliveries', 'viewer', {
      tag,
      doc: 'Lists the calls of an outbound webhook with all attempts, newest first.',
      query: paging,
      answers: { status: 200, schema: logSchema(deliveryShape) },
      handle: (call) => list(parts, call),
    }),
    route('GET /outbound-webhooks/:id/deliveries/:delivery_id', 'viewer', {
      tag,
      doc: 'Returns one call of an outbound webhook, with its content.',
      answers: { status: 200, schema: deliveryWithContentShape },
      handle: async (call) => ok(renderWithContent(await one(parts, call), call.caller)),
    }),
    route('POST /outbound-webhooks/:id/deliveries/:delivery_id/redeliver', 'manager', {
      tag,
      doc: 'Repeats a call with the same webhook-id and body and a new signature.',
      answers: { status: 202, schema: deliveryWithContentShape },
      async handle(call) {
        const deliveryId = idIn(call, 'delivery_id');
        return requested(parts, call, await redeliver(parts, { ...target(call), deliveryId }));
      },
      again: (call, id) => requestedAgain(parts, call, id),
    }),
    route('POST /outbound-webhooks/:id/test', 'manager', {
      tag,
      doc: 'Calls an outbound webhook with a sample incident. The delivery shows whether the call succeeded.',
      answers: { status: 202, schema: deliveryWithContentShape },
      handle: async (call) => requested(parts, call, await testWebhook(parts, target(call))),
      again: (call, id) => requestedAgain(parts, call, id),
    }),
  ];
}

const target = (call: Call) => ({ key: call.params['id'] ?? '', act: actOf(call) });
const scoped = (call: Call) => ({ key: call.params['id'] ?? '', scope: call.caller });

async function list(parts: DeliveryParts, call: Call) {
  const { after, limit } = readPage(call);
  const slice = { limit: limit + 1, before: after === '' ? null : after };
  const rows = orRefuse(await listDeliveries(parts, scoped(call), slice));
  const { data, next_cursor } = pageOf(rows, limit);
  const removed = await removedIn(parts.sql, call.caller.organizationId, 'outbox');
  const shown = data.map((row) => renderDelivery(row, call.caller));
  return ok({ data: shown, next_cursor, ...removed });
}

async function one(parts: DeliveryParts, call: Call, deliveryId = idIn(call, 'delivery_id')) {
  const delivery = await findDelivery(parts, { ...scoped(call), deliveryId });
  if (delivery !== 'not_found') return delivery;
  const { removed_before } = await removedIn(parts.sql, call.caller.organizationId, 'outbox');
  if (removed_before === undefined) throw new Refusal('not_found');
  const message = `The delivery was not found. Deliveries that ended before ${removed_before} have been removed.`;
  throw new Refusal('not_found', { message });
}

type Requested = Awaited<ReturnType<typeof redeliver>>;

/** The call goes through the outbox like any other, and has a delivery in the log. */
async function requested(parts: DeliveryParts, call: Call, made: Requested) {
  const { deliveryId } = orRefuse(made);
  const delivery = await one(parts, call, deliveryId);
  parts.committed({ ...noWake, notices: true });
  return ok(renderWithContent(delivery, call.caller), 202);
}

const requestedAgain = async (parts: DeliveryParts, call: Call, id: string) =>
  ok(renderWithContent(await one(parts, call, id), call.caller), 202);

function orRefuse<Result extends object>(result: Result | Refused): Result {
  if (result === 'untried') throw new Refusal('invalid_state', { message: untried });
  if (typeof result === 'string') throw new Refusal(result);
  return result;
}

const untried = 'The first attempt of this call has not been made yet.';
