// Keys of other services: those that integrations have adopted, and those that tools send in vain.
import Type from 'typebox';
import { accessLimits } from '../../limits/access.ts';
import { memoryLimits } from '../../limits/memory.ts';
import { instant } from '../../resources/declaration/answer.ts';
import { choice, id, objectOf, text } from '../../resources/declaration/field.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { integration } from '../../resources/integration.ts';
import {
  type IntegrationKeyFields,
  integrationKey,
  integrationKeyInput,
  keyKinds,
} from '../../resources/integration-key.ts';
import {
  adoptedAmong,
  adoptKey,
  type IntegrationKeyParts,
  listIntegrationKeys,
  removeKey,
} from '../../storage/integrations/integration-keys.ts';
import { hasOneOrganization } from '../../storage/organizations/organizations.ts';
import { noNextPage } from '../answers.ts';
import type { UnknownKeys } from '../dialects/unknown-keys.ts';
import { invalid, notFound, Refusal } from '../failures.ts';
import { actOf, conflict, idIn, needsWholeOrganization, route } from '../people/writing.ts';
import { type Call, ok, type Route } from '../route.ts';

export type KeyParts = IntegrationKeyParts & { readonly unknownKeys: Pick<UnknownKeys, 'list'> };

const tag = integration.table;
const answers = { status: 200, schema: integrationKey.output };
const listed = objectOf({
  data: Type.Array(integrationKey.output, { description: 'The adopted keys, oldest first.' }),
  next_cursor: noNextPage,
});
const removed = objectOf({ id: id('The id of the removed key.') });
const unknownKey = objectOf(
  {
    kind: choice(keyKinds, { doc: 'The service whose format the key was sent in.' }),
    last4: text({ doc: 'The last four characters of the key.' }),
    user_agent: text({ doc: 'The user agent of the last sender. Empty if it sent none.' }),
    count: Type.Integer({ description: 'How many times it was sent.' }),
    first_seen_at: instant('When it was first sent, to the minute.'),
    last_seen_at: instant('When it was last sent, to the minute.'),
  },
  'A key that belongs to no integration.',
);
const unknownListed = objectOf({
  data: Type.Array(unknownKey, {
    description: `The unknown keys, most recently sent first, at most ${memoryLimits.unknownKeys}.`,
  }),
  next_cursor: noNextPage,
});

export function keyRoutes(parts: KeyParts): Route[] {
  return [
    route('GET /integrations/:id/adopted-keys', 'manager', {
      tag,
      doc: 'Lists the adopted keys of an integration.',
      answers: { status: 200, schema: listed },
      handle: async (call) => ok({ data: await list(parts, call), next_cursor: null }),
    }),
    route('POST /integrations/:id/adopted-keys', 'manager', {
      tag,
      doc: 'Adopts a key of another service for an integration. A key that already belongs to an integration is refused.',
      body: integrationKeyInput,
      answers: { status: 201, schema: integrationKey.output },
      handle: (call) => adopt(parts, call),
      again: async (call, key_id) =>
        ok(await read(parts, { ...call, params: { ...call.params, key_id } }), 201),
    }),
    route('GET /integrations/:id/adopted-keys/:key_id', 'manager', {
      tag,
      doc: 'Returns an adopted key, without its text.',
      answers,
      handle: async (call) => ok(await read(parts, call)),
    }),
    route('DELETE /integrations/:id/adopted-keys/:key_id', 'manager', {
      tag,
      doc: `Removes an adopted key. Servers that have it cached accept it for ${memoryLimits.tokensTime / 1_000} more seconds.`,
      answers: { status: 200, schema: removed },
      handle: (call) => remove(parts, call),
    }),
    route('GET /unknown-keys', 'admin', {
      tag,
      doc: 'Lists keys that tools sent in the format of another service and that belong to no integration. The list contains what the answering server received since it started. Unknown keys belong to no organization, so a server with several organizations shows them to nobody.',
      answers: { status: 200, schema: unknownListed },
      handle: (call) => listUnknown(parts, call),
    }),
  ];
}

async function list({ sql }: KeyParts, call: Call) {
  const keys = await listIntegrationKeys(sql, { integration: named(call), scope: call.caller });
  if (keys === 'not_found') throw notFound();
  return keys;
}

async function read(parts: KeyParts, call: Call) {
  const keyId = idIn(call, 'key_id');
  const key = (await list(parts, call)).find(({ id }) => id === keyId);
  if (key === undefined) throw notFound();
  return key;
}

const readOnly = ['id', 'integration_id', 'last4', 'created_at', 'last_used_at'];

async function adopt(parts: KeyParts, call: Call) {
  const sent = readObject(integrationKeyInput, call.body, { ignored: readOnly });
  if (!sent.ok) throw invalid(sent.problems);
  // The reader has held it to the schema.
  const fields = sent.value as IntegrationKeyFields;
  const result = await adoptKey(parts, { integration: named(call), act: actOf(call), fields });
  if (typeof result === 'object' && 'known' in result)
    throw conflict('key', `already belongs to this integration, as ${nameOf(result.known)}`);
  switch (result) {
    case 'not_found':
    case 'archived':
      throw new Refusal(result);
    case 'too_many':
      throw conflict(
        '',
        `the integration already has ${accessLimits.adoptedKeys} adopted keys, the maximum: remove one first`,
      );
    case 'taken':
      throw conflict('key', 'already belongs to another integration');
  }
  return ok(result, 201);
}

const nameOf = (keyId: string | null): string =>
  keyId === null ? 'its token' : `the adopted key ${keyId}`;

async function remove(parts: KeyParts, call: Call) {
  const keyId = idIn(call, 'key_id');
  const result = await removeKey(parts, { integration: named(call), act: actOf(call), keyId });
  if (result === 'not_found') throw notFound();
  return ok(result);
}

const named = (call: Call) => call.params['id'] ?? '';

async function listUnknown({ sql, unknownKeys }: KeyParts, call: Call) {
  needsWholeOrganization(call);
  if (!(await hasOneOrganization(sql)))
    throw new Refusal('forbidden', {
      message:
        'Unknown keys belong to no organization, and this server has several, so they are not shown.',
    });
  const data = await unknownKeys.list((digests) => adoptedAmong(sql, digests));
  return ok({ data, next_cursor: null });
}
