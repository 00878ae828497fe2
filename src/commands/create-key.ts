// `pagerctl create-key`: another API key for whoever lost the first one.
import { randomBytes } from 'node:crypto';
import { keyInput } from '../api/people/shapes.ts';
import { readArguments, suggested } from '../arguments.ts';
import type { Config } from '../config.ts';
import { systemClock } from '../engine/clock.ts';
import { createIds } from '../engine/ids.ts';
import { readObject } from '../resources/declaration/validate.ts';
import { nearest } from '../resources/nearest.ts';
import { type Role, roles } from '../resources/roles.ts';
import type { Sql } from '../storage/database/database.ts';
import { databaseNow } from '../storage/database/server-clocks.ts';
import { type Named, realOrganizations } from '../storage/organizations/organizations.ts';
import { type ApiKey, insertApiKey } from '../storage/people/api-keys.ts';
import { keyPrefix, newKeyText } from '../storage/people/key-text.ts';
import { type CommandOutput, failureOf, openExisting } from './command.ts';
import { actOn, notifyOwners, OutcomeUnknown, secretsFor, write } from './on-behalf.ts';

const verb = 'create-key';
const defaults = { role: 'owner', name: 'pagerctl create-key', expires: '30d' } as const;

export const usage = `pagerctl create-key [--role <role>] [--name <name>] [--expires <time>] [--organization <name>]

Creates an API key and prints it once. The key can act in all teams and belongs to no person.

  --role          ${roles.join(', ')}; default ${defaults.role}, like the first key
  --name          name in the list of keys; default "${defaults.name}"
  --expires       days or hours, such as 90d or 12h, or never; default ${defaults.expires}
  --organization  name or id of the organization; required if there are several

The key is on standard output, everything else on standard error. The audit log records the
command, and the owners get an e-mail.

Exit code 0: the key is printed; 1: no key was created, and the message says why; 2: the arguments
are invalid.
`;

type Wanted = {
  readonly role: Role;
  readonly name: string;
  /** Null: never. */
  readonly lasts: Temporal.Duration | null;
  readonly organization: string | undefined;
};

/** Answers the exit code. */
export async function createKeyCommand(
  args: readonly string[],
  config: Config,
  output: CommandOutput,
): Promise<0 | 1 | 2> {
  const { write: print, writeError } = output;
  const wanted = wantedOf(args);
  if (typeof wanted === 'string') {
    writeError(`${wanted}\n\n${usage}`);
    return 2;
  }
  try {
    await using stack = new AsyncDisposableStack();
    const sql = await openExisting(config, stack, { maxConnections: 1, name: 'pager create-key' });
    const organization = organizationIn(await realOrganizations(sql), wanted.organization);
    const { text, key } = await create(sql, { config, wanted, organization });
    print(`${text}\n`);
    writeError(explanationOf(key, organization));
    const what = `An API key with the role ${key.role}: ${key.name}`;
    const act = { organizationId: organization.id, what, verb, now: systemClock.now() };
    await notifyOwners(sql, config, { act, output });
    return 0;
  } catch (error) {
    writeError(
      error instanceof OutcomeUnknown
        ? `It is not known whether a key was created: ${error.message}. It was not shown. Run the command again.\n`
        : `No key was created: ${failureOf(error)}\n`,
    );
    return 1;
  }
}

function wantedOf(args: readonly string[]): Wanted | string {
  const text = { type: 'string' } as const;
  const options = { role: text, name: text, expires: text, organization: text } as const;
  const read = readArguments(args, { options });
  if (typeof read === 'string') return read;
  const { role: roleName = defaults.role, name = defaults.name, organization } = read.values;
  const role = roles.find((one) => one === roleName);
  if (role === undefined)
    return `There is no role ${roleName}.${suggested(nearest(roleName, roles))}`;
  const named = readObject(keyInput, { name, role });
  if (!named.ok) return `--name ${named.problems[0]?.message}.`;
  const { expires = defaults.expires } = read.values;
  const [, count = '', unit] = /^(\d{1,4})(d|h)$/.exec(expires) ?? [];
  const hours = Number(count) * (unit === 'd' ? 24 : 1);
  if (expires !== 'never' && !(hours > 0))
    return `${expires} is not valid for --expires. Use days or hours, such as 90d or 12h, or never.`;
  return {
    role,
    name,
    organization,
    lasts: expires === 'never' ? null : Temporal.Duration.from({ hours }),
  };
}

function organizationIn(all: readonly Named[], name: string | undefined): Named {
  const wanted = all.filter((one) => name === undefined || one.name === name || one.id === name);
  const [organization, ...others] = wanted;
  if (organization !== undefined && others.length === 0) return organization;
  const names = all.map((one) => `${one.name} (${one.id})`).join(', ');
  if (all.length === 0) throw new Error('the database is empty: start a server first');
  if (organization === undefined)
    throw new Error(`there is no organization ${name}. Available: ${names}`);
  throw new Error(`there are several organizations. Name one with --organization: ${names}`);
}

type Creation = {
  readonly config: Config;
  readonly wanted: Wanted;
  readonly organization: Named;
};

async function create(
  sql: Sql,
  { config, wanted, organization }: Creation,
): Promise<{ readonly text: string; readonly key: ApiKey }> {
  const { digest } = await secretsFor(sql, config);
  const now = await databaseNow(sql);
  const ids = createIds(systemClock);
  const text = newKeyText(randomBytes);
  const { role, name, lasts } = wanted;
  const fields = { name, role, ...(lasts && { expires_at: `${now.add(lasts)}` }) };
  const act = actOn(organization.id, verb, now);
  const key = await write(sql, (tx) =>
    insertApiKey(tx, { act, ids, fields, prefix: keyPrefix(text), digest: digest(text) }),
  );
  return { text, key };
}

function explanationOf(key: ApiKey, { name }: Named): string {
  const { expires_at } = key;
  const end = expires_at === undefined ? 'It does not expire.' : `It expires at ${expires_at}.`;
  return (
    `This API key for ${name} has the role ${key.role} and is shown only once. ${end} ` +
    `To revoke it, call DELETE /api/v1/api-keys/${key.id}.\n`
  );
}
