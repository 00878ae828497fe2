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
import {
  actOf,
  idIn,
  needsOwnOrAbove,
  orNotFound,
  type PeopleParts,
  route,
} from '../people/writing.ts';
import { type Call, ok, type Route } from '../route.ts';

const tag = 'users';

const vendor = choice(
  vendors.map(({ vendor }) => vendor),
  { doc: 'The vendor of the account.' },
);
const vendorName = text({ doc: 'The person’s name at the vendor.' });

const accountShape = objectOf(
  {
    id: id('The id of the link.'),
    vendor,
    connection_id: id('The channel connection that knows the account.'),
    connection: text({ doc: 'The name of that connection.' }),
    name: vendorName,
    linked_by: choice(linkedBy, {
      doc: 'Whether the account was linked by its confirmed e-mail address or by the person.',
    }),
    linked_at: instant('When the account was linked.'),
  },
  'A person’s chat account, which they use to act on incidents.',
);

const linkShape = objectOf(
  {
    vendor,
    account: optional(
      text({ doc: 'The vendor’s name for the workspace. Absent until it is known.' }),
    ),
    name: vendorName,
  },
  'A chat account that was sent a link code.',
);

const listed = { status: 200, schema: pageSchema(accountShape) };
const removed = { status: 200, schema: objectOf({ id: id('The id of the removed link.') }) };
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
      doc: 'Unlinks a chat account from a person. People unlink their own accounts, admins those of others, and only owners those of owners.',
      handle: (call) => remove(parts, call),
    }),
    route('GET /chat-links/:code', 'viewer', {
      tag,
      doc: 'Returns the chat account that was sent a code.',
      answers: linked,
      keysRefused: 'session_only',
      handle: (call) => readLink(parts, call),
    }),
    route('POST /chat-links/:code', 'responder', {
      tag,
      doc: 'Links that chat account to the signed-in person. The code can be used once.',
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
