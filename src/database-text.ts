// How an operator knows a database: by its host and name, without the password.
import { resolve } from 'node:path';
import { splitHost } from './storage/database/database.ts';

type Place = { readonly dataDir: string; readonly databaseUrl: string | null };

export function databaseText({ dataDir, databaseUrl }: Place): string {
  if (databaseUrl === null) return `the bundled database in ${resolve(dataDir, 'postgres')}`;
  const { url: text, host: folder } = splitHost(databaseUrl);
  const url = new URL(text);
  const name = decodeURIComponent(url.pathname.slice(1) || url.username);
  const at = folder ?? (url.host || 'the default host');
  return name === '' ? `the database at ${at}` : `the database ${name} at ${at}`;
}
