// Accounts of people at a chat's vendor, such as a Slack workspace: who they are there.
import { chatLinkDigest } from '../../replies/digests.ts';
import { vendors } from '../../resources/connections/vendors.ts';
import { instant } from '../../resources/declaration/answer.ts';
import { choice, id, objectOf, optional, text } from '../../resources/declaration/field.ts';
import {
  confirmChatLink,
  linkedBy,
  listChatAccounts,
  readChatLinkCode,
  removeChatAccount,
} from '../../storage/people/chat-accounts.ts';
import { findUser } from '../../storage/people/users.ts';
import { pageSchema } from '../answers.ts';
import { notFound, Refusal } from '../failures.ts';
import { type Call, ok, type Route } from '../route.ts';
import { actOf, idIn, needsOwnOrAbove, orNotFound, type PeopleParts, route } from './writing.ts';

const tag = 'users';

const vendor = choice(
  vendors.map(({ vendor }) => vendor),
  { doc: 'At which vendor the account is.' },
);
const vendorName = text({ doc: 'How the person calls themselves there.' });

const accountShape = objectOf(
  {
    id: id('The id of the link.'),
    vendor,
    connection_id: id('The channel connection by which the account is known.'),
    connection: text({ doc: 'The name of that connection.' }),
    name: vendorName,
    linked_by: choice(linkedBy, {
      doc: 'Whether the e-mail that the vendor has confirmed made the link, or the person did.',
    }),
    linked_at: instant('When the link was made.'),
  },
  'An account of a person at a chat’s vendor, by which they act there.',
);

const linkShape = objectOf(
  {
    vendor,
    account: optional(text({ doc: 'What the vendor calls the workspace; absent until known.' })),
    name: vendorName,
  },
  'An account at a chat’s vendor that was sent a code.',
);

const listed = { status: 200, schema: pageSchema(accountShape) };
const removed = { status: 200, schema: objectOf({ id: id('The id of the link that ended.') }) };
const linked = { status: 200, schema: linkShape };

export function chatAccountRoutes(parts: PeopleParts): Route[] {
  return [
    route('GET /users/:id/chat-accounts', 'viewer', {
      tag,
      doc: 'Lists the chat accounts of a person.',
      answers: listed,
      async handle(call) {
        const { organizationId } = call.caller;
        const user = orNotFound(await findUser(parts.sql, organizationId, idIn(call)));
        const data = await listChatAccounts(parts.sql, { organizationId, userId: user.id });
        return ok({ data, next_cursor: null });
      },
    }),
    route('DELETE /users/:id/chat-accounts/:account_id', 'responder', {
      tag,
      keysRefused: 'session_only',
      answers: removed,
      doc: 'Ends the link of a chat account to a person. People end their own, admins those of others, and only owners those of owners.',
      handle: (call) => remove(parts, call),
    }),
    route('GET /chat-links/:code', 'viewer', {
      tag,
      doc: 'Reads which chat account was sent a code.',
      answers: linked,
      keysRefused: 'session_only',
      handle: (call) => readLink(parts, call),
    }),
    route('POST /chat-links/:code', 'responder', {
      tag,
      doc: 'Links that chat account to the signed-in person; the code is good once.',
      answers: linked,
      keysRefused: 'session_only',
      handle: (call) => confirm(parts, call),
    }),
  ];
}

async function remove({ sql, ids }: PeopleParts, call: Call) {
  const { organizationId } = call.caller;
  const user = orNotFound(await findUser(sql, organizationId, idIn(call)));
  needsOwnOrAbove(call, user, 'chat accounts');
  const ending = { act: actOf(call), ids, userId: user.id, id: idIn(call, 'account_id') };
  const before = orNotFound(await removeChatAccount(sql, ending));
  return ok({ id: before.id });
}

async function linkOf({ sql, secrets }: PeopleParts, call: Call) {
  const { organizationId } = call.caller;
  const digest = chatLinkDigest(secrets, call.params['code'] ?? '');
  const code = { organizationId, digest, now: call.now };
  const link = await readChatLinkCode(sql, code);
  if (link === null)
    throw new Refusal('not_found', { message: 'This link is invalid or has expired.' });
  const { vendor, account, vendorUserName: name } = link;
  return { code, shown: { vendor, ...(account !== null && { account }), name } };
}

const readLink = async (parts: PeopleParts, call: Call) => ok((await linkOf(parts, call)).shown);

async function confirm(parts: PeopleParts, call: Call) {
  const { code, shown } = await linkOf(parts, call);
  const { sql, ids } = parts;
  if ((await confirmChatLink(sql, { ...code, ids, userId: call.caller.id })) === null)
    throw notFound();
  return ok(shown);
}
