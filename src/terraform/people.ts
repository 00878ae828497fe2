// What people are called, for texts that would otherwise show their ids.
import type { Fields } from '../client/answer.ts';
import type { Client } from '../client/client.ts';
import { listAll } from '../client/pages.ts';
import { memoized } from './memoized.ts';

/** What a person is called; their id when nobody says. */
export type NameOf = (userId: string) => string;
export type People = { names(): Promise<NameOf> };

/** A plan does not wait longer for names. */
const NAMES_MS_MAX = 5_000;

export const createPeople = (client: Client): People => ({
  names: memoized(() => inTime(readNames(client))),
});

async function readNames(client: Client): Promise<NameOf> {
  const users = await listAll(client, '/users');
  if (!users.ok) return byId;
  const names = new Map(users.value.map((user) => [String(user['id']), nameOf(user)]));
  return (userId) => names.get(userId) ?? userId;
}

const nameOf = ({ first_name, last_name, email }: Fields) =>
  [first_name, last_name].filter(Boolean).join(' ') || String(email);

function inTime(names: Promise<NameOf>): Promise<NameOf> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(byId), NAMES_MS_MAX);
    void names.then(resolve).finally(() => clearTimeout(timer));
  });
}

export const byId: NameOf = (userId) => userId;
