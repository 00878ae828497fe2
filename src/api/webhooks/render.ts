import { masked } from '../../resources/declaration/references-and-secrets.ts';
import { mayAct } from '../../resources/roles.ts';
import { timeText } from '../../storage/records/rows.ts';
import type {
  DeliveryWithContent,
  Try,
  WebhookDelivery,
} from '../../storage/webhooks/deliveries.ts';
import { withoutNulls } from '../incidents/render.ts';
import type { Caller } from '../route.ts';
import { deliveryShape, deliveryWithContentShape } from './shapes.ts';

/** A delivery as a caller may see it: below manager, without its address and its body. */
export function renderDelivery(delivery: WebhookDelivery, caller: Caller): object {
  return forCaller(rendered(delivery), deliveryShape, caller);
}

/** A delivery with the content of its call. */
export function renderWithContent(delivery: DeliveryWithContent, caller: Caller): object {
  const { content } = delivery;
  return forCaller(
    { ...rendered(delivery), ...(content && { content }) },
    deliveryWithContentShape,
    caller,
  );
}

const forCaller = (
  whole: object,
  shape: typeof deliveryShape | typeof deliveryWithContentShape,
  caller: Caller,
) => (mayAct(caller, 'manager') ? whole : (masked(shape, whole) as object));

function rendered(delivery: WebhookDelivery) {
  const { id, kind, occasion, incident_id, incident_number, schedule, tries } = delivery;
  const { state, reason, redelivery_of, finished_at } = delivery;
  return withoutNulls({
    id,
    event_type: occasion ?? (kind === 'shift_start' ? 'oncall_shift_start' : 'oncall_shift_end'),
    test: delivery.is_test || null,
    incident: incident_id && { id: incident_id, number: incident_number },
    oncall_schedule: schedule && { id: schedule.id, name: schedule.name },
    state,
    reason,
    redelivery_of,
    created_at: timeText(delivery.created_at),
    finished_at: finished_at && timeText(finished_at),
    next_try_at: nextTryAt(delivery),
    tries: tries.map(renderTry),
  });
}

/** While a try runs, when it is due again depends on its end. */
function nextTryAt({ state, wake_at, tries }: WebhookDelivery): string | null {
  const isRunning = tries.at(-1)?.finished_at === null;
  return state === 'pending' && wake_at !== null && !isRunning ? timeText(wake_at) : null;
}

const renderTry = ({ claimed_at, finished_at, called, ...one }: Try) =>
  withoutNulls({
    ...one,
    at: timeIn(claimed_at),
    finished_at: finished_at && timeIn(finished_at),
    ...called,
  });

const timeIn = (text: string) => timeText(Temporal.Instant.from(text));
