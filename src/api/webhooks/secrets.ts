import Type from 'typebox';
import { instant } from '../../resources/declaration/answer.ts';
import { id, objectOf, text } from '../../resources/declaration/field.ts';
import { outboundWebhook } from '../../resources/outbound-webhook.ts';
import {
  addWebhookSecret,
  listWebhookSecrets,
  removeWebhookSecret,
  type WebhookSecretParts,
} from '../../storage/webhooks/secrets.ts';
import { noNextPage } from '../answers.ts';
import { Refusal } from '../failures.ts';
import { actOf, idIn, route } from '../people/writing.ts';
import { type Call, ok, type Route } from '../route.ts';

const tag = outboundWebhook.table;

const secretShape = objectOf(
  {
    id: id('The id of the secret. It never changes.'),
    secret: text({
      doc: 'The signing secret in Standard Webhooks format: whsec_ followed by base64.',
      sensitive: true,
    }),
    created_at: instant('When the secret was created.'),
  },
  'A secret that signs the deliveries of a webhook.',
);
const listShape = objectOf({
  data: Type.Array(secretShape, { description: 'The one or two secrets, oldest first.' }),
  next_cursor: noNextPage,
});
const removedShape = objectOf({ id: id('The id of the removed secret.') });

/** Signing secrets; while there are two, each delivery carries a signature of both. */
export function webhookSecretRoutes(parts: WebhookSecretParts): Route[] {
  return [
    route('GET /outbound-webhooks/:id/secrets', 'manager', {
      tag,
      doc: 'Lists the secrets that sign the deliveries of an outbound webhook.',
      answers: { status: 200, schema: listShape },
      async handle(call) {
        const data = orRefuse(await listWebhookSecrets(parts, target(call)));
        return ok({ data, next_cursor: null });
      },
    }),
    route('POST /outbound-webhooks/:id/secrets', 'manager', {
      tag,
      doc: 'Creates a second secret, so that the receiving system can switch without a gap.',
      answers: { status: 201, schema: secretShape },
      handle: async (call) => ok(orRefuse(await addWebhookSecret(parts, target(call))), 201),
    }),
    route('DELETE /outbound-webhooks/:id/secrets/:secret_id', 'manager', {
      tag,
      doc: 'Removes a secret at once. The last secret cannot be removed.',
      answers: { status: 200, schema: removedShape },
      async handle(call) {
        const secretId = idIn(call, 'secret_id');
        return ok(orRefuse(await removeWebhookSecret(parts, { ...target(call), secretId })));
      },
    }),
  ];
}

const target = (call: Call) => ({ key: call.params['id'] ?? '', act: actOf(call) });

type Refused = 'not_found' | 'archived' | 'too_many' | 'last';

function orRefuse<Result extends object>(result: Result | Refused): Result {
  if (typeof result !== 'string') return result;
  switch (result) {
    case 'not_found':
    case 'archived':
      throw new Refusal(result);
    case 'too_many':
      throw new Refusal('conflict', {
        message: 'The webhook already has two secrets, the maximum. Remove one first.',
      });
    case 'last':
      throw new Refusal('conflict', {
        message: 'The last secret cannot be removed. Create another secret first.',
      });
  }
}
