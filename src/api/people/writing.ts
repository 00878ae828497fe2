// What the writes of people's records share.
import type { TSchema } from 'typebox';
import type { Clock } from '../../engine/clock.ts';
import type { Ids } from '../../engine/ids.ts';
import type { Random } from '../../engine/random.ts';
import type { NoticeChannel } from '../../engine/sending/channel.ts';
import type { Problem } from '../../resources/declaration/resource.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { mayAct, type Role, roles } from '../../resources/roles.ts';
import type { Sql } from '../../storage/database/database.ts';
import type { Act } from '../../storage/organizations/audit.ts';
import type { Secrets } from '../../storage/sealed/secrets.ts';
import type { CallbackUrlOf } from '../connections/inbound-mode.ts';
import { Refusal } from '../failures.ts';
import { mergePatch } from '../records/body.ts';
import type { Call, Route } from '../route.ts';
import type { AccountMails } from '../sign-in/account-mails.ts';

export type PeopleParts = {
  readonly sql: Sql;
  readonly ids: Ids;
  readonly secrets: Secrets;
  readonly hashPassword: (password: string) => Promise<string>;
  readonly clock: Clock;
  /** The ways to people that are set up. */
  readonly channels: ReadonlyMap<string, NoticeChannel>;
  /** Of the server's own settings. Without one, an organization may have a connection to one. */
  readonly hasMailServer: boolean;
  readonly publicUrl: string;
  readonly callbackUrlOf: CallbackUrlOf;
  /** The public half of the key by which push services know this installation. */
  readonly pushKey: string;
  readonly mails: AccountMails;
  readonly random?: Random;
};

export const actOf = ({ caller, requestId, now, managedBy, repeatable }: Call): Act => ({
  organizationId: caller.organizationId,
  teamIds: caller.teamIds,
  actor: { kind: caller.kind, id: caller.id, name: caller.name },
  requestId,
  now,
  ...(managedBy && { managedBy }),
  ...(repeatable && { repeatable }),
});

/** What a client may send back of what it read; ignored in writes. */
export const readOnly = [
  'id',
  'version',
  'created_at',
  'updated_at',
  'archived_at',
  'key',
  'prefix',
  'last_used_at',
  'created_by',
  'user_id',
  'made_by_key_id',
  'ends_with_maker',
  'verified',
  'warnings',
];

export function readBody(schema: TSchema, body: unknown): Record<string, unknown> {
  const read = readObject(schema, body, { ignored: readOnly });
  if (!read.ok) throw new Refusal('validation_failed', { issues: read.problems });
  return read.value;
}

/** PUT names everything anew; PATCH only what changes. */
export function readChange(
  schema: TSchema,
  options: { readonly call: Call; readonly before: object; readonly isPatch: boolean },
): Record<string, unknown> {
  const { call, before, isPatch } = options;
  const fields = Object.keys((schema as { properties?: object }).properties ?? {});
  const now = Object.fromEntries(Object.entries(before).filter(([key]) => fields.includes(key)));
  return readBody(schema, isPatch ? mergePatch(now, call.body) : call.body);
}

export function checkVersion(call: Call, { version }: { readonly version: number }): void {
  if (call.version !== null && call.version !== version) throw new Refusal('stale_version');
}

/** A caller that is confined to teams does nothing to what is the whole organization's. */
export function needsWholeOrganization({ caller }: Call): void {
  if (caller.teamIds === null) return;
  throw new Refusal('forbidden', { message: 'This key is limited to its teams.' });
}

/** Else an admin could take an owner's address or password, and so the owner's place. */
export function onlyOwnersTouchOwners({ caller }: Call, { role }: { readonly role: string }): void {
  if (role === 'owner' && caller.role !== 'owner')
    throw new Refusal('forbidden', { message: 'Only owners can change owners.' });
}

export const isOwn = ({ caller }: Call, userId: string): boolean =>
  caller.kind === 'session' && caller.id === userId;

/** What is a person's own is for them, and for admins of the whole organization. */
export function needsOwnOrAdmin(call: Call, userId: string, what: string): void {
  if (isOwn(call, userId)) return;
  needsWholeOrganization(call);
  if (!mayAct(call.caller, 'admin'))
    throw new Refusal('forbidden', { message: `These are not your ${what}.` });
}

/** Numbers and other addresses of people: for themselves, and for admins of the whole organization. */
export const mayReadAddresses = (call: Call, userId: string): boolean =>
  isOwn(call, userId) || (call.caller.teamIds === null && mayAct(call.caller, 'admin'));

/** The same, where it decides who is reached: admins could silence owners. */
export function needsOwnOrAbove(
  call: Call,
  { id, role }: { readonly id: string; readonly role: string },
  what = 'contacts',
): void {
  needsOwnOrAdmin(call, id, what);
  if (!isOwn(call, id)) onlyOwnersTouchOwners(call, { role });
}

export const isAbove = (role: string, other: string): boolean =>
  roles.indexOf(role as Role) > roles.indexOf(other as Role);

export const conflict = (path: string, message: string) =>
  new Refusal('conflict', { issues: [{ path, message }] });

/** Where in the list the ids stand that are not known. */
export function unknownMembers(
  path: string,
  list: readonly string[],
  options: { readonly ids: readonly string[]; readonly what: string },
): readonly Problem[] {
  return list.flatMap((id, index) =>
    options.ids.includes(id)
      ? [{ path: `${path}[${index}]`, message: `does not match any ${options.what}` }]
      : [],
  );
}

export const isId = (text: string | undefined): text is string =>
  text !== undefined && /^[0-9a-f]{24}$/.test(text);

/** The id in a path; anything else is not found. */
export function idIn(call: Call, name = 'id'): string {
  const id = call.params[name];
  if (!isId(id)) throw new Refusal('not_found');
  return id;
}

export const orNotFound = <T>(one: T | null): T => {
  if (one === null) throw new Refusal('not_found');
  return one;
};

/** A route by its line, such as `GET /users`. */
export function route(
  line: `${Route['method']} /${string}`,
  role: Role,
  options: Omit<Route, 'method' | 'path' | 'role'>,
): Route {
  const [method, path = ''] = line.split(' ');
  // The line's type says that it begins with one of them.
  return { ...options, method: method as Route['method'], path, role };
}
