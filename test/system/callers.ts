// Those who may call the API: people and keys of every role, of one organization or another.
import { hashPassword } from '../../src/api/sign-in/passwords/passwords.ts';
import { systemClock } from '../../src/engine/clock.ts';
import { createIds } from '../../src/engine/ids.ts';
import { type Role, roles } from '../../src/resources/roles.ts';
import { setPassword } from '../../src/storage/people/sign-ins.ts';
import type { Api } from './api-client.ts';
import type { InProcess } from './in-process.ts';
import { sessionOf } from './sign-in.ts';
import type { Ids } from './tenants.ts';

export type Kind =
  | 'session'
  | 'key'
  /** Confined to the team that has what is asked for. */
  | 'key of the team'
  | 'key of another team'
  | 'session of another organization'
  | 'key of another organization'
  /** Without credentials, with wrong ones, or with the token of an integration. */
  | 'stranger';

export type Caller = {
  readonly kind: Kind;
  readonly role: Role | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Of a person: who they are, and their contact. */
  readonly own: Ids;
};

type Organization = { readonly api: Api; readonly name: string };

const password = 'correct horse battery staple';
const ids = createIds(systemClock);

/** A signed-in person of each role. */
export async function sessionsIn(
  pager: InProcess,
  { api, name }: Organization,
  kind: Kind,
): Promise<readonly Caller[]> {
  const passwordHash = await hashPassword(password);
  const session = async (role: Role): Promise<Caller> => {
    const email = `${role}@${name.toLowerCase()}.test`;
    const user = { first_name: role, last_name: name, email, role: 'viewer' };
    const { id } = await api.create('users', user);
    await pager.sql.begin(async (tx) => {
      // Only people make admins and owners.
      await tx`update users set role = ${role} where id = ${id}`;
      await setPassword(tx, { user: { id, name }, passwordHash, ids, now: systemClock.now() });
    });
    const [contact] = (await api.send(`GET /users/${id}/contacts`)).body.data;
    const headers = { ...(await sessionOf(pager, password, email)), origin: pager.url };
    return { kind, role, headers, own: { user: id, contact: contact.id } };
  };
  return Promise.all(roles.map(session));
}

/** A key of each role; confined to a team if one is named. */
export function keysIn({ api }: Organization, kind: Kind, team?: string): Promise<Caller[]> {
  const confined = team !== undefined && { team_ids: [team], default_team_id: team };
  const key = async (role: Role): Promise<Caller> => {
    const made = await api.create('api-keys', { name: `${kind} ${role}`, role, ...confined });
    return { kind, role, headers: { 'x-api-key': made.key }, own: {} };
  };
  return Promise.all(roles.map(key));
}

export const strangers = (token: string): readonly Caller[] =>
  [{}, { 'x-api-key': 'pgr_wrong' }, { 'x-api-key': token }, { cookie: 'pager.session_token=x' }]
    .map((headers) => headers as Readonly<Record<string, string>>)
    .map((headers) => ({ kind: 'stranger', role: null, headers, own: {} }));

/** What is sent has the content type already where it has a body. */
export const spoken = ({ kind, role }: Caller) => [role, kind].filter(Boolean).join(' ');
