import type { Ids } from '../../engine/ids.ts';
import { accessLimits } from '../../limits/access.ts';
import { name, objectOf, optional, text } from '../../resources/declaration/field.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { type Sql, type Transaction, transact } from '../database/database.ts';
import { canaryId } from '../health/canary.ts';
import { insertApiKey } from '../people/api-keys.ts';
import { KEY_PATTERN, keyPrefix, newKeyText, type Random } from '../people/key-text.ts';
import { newPassword, setPassword } from '../people/sign-ins.ts';
import { insertTeam } from '../people/teams.ts';
import { insertUser, type User } from '../people/users.ts';
import type { Act } from './audit.ts';

/** What the operator wants of the first organisation; what is absent is made up. */
export type BootstrapOptions = {
  readonly organization: string;
  readonly email: string;
  readonly password?: string;
  readonly apiKey?: string;
};

export type BootstrapDependencies = {
  readonly ids: Ids;
  readonly now: Temporal.Instant;
  readonly random: Random;
  readonly digest: (text: string) => Uint8Array;
  readonly hashPassword: (password: string) => Promise<string>;
};

export type BootstrapResult = {
  readonly organizationId: string;
  readonly teamId: string;
  readonly userId: string;
  readonly email: string;
  /** Only if it was made up: to be shown once, and never again. */
  readonly password: string | null;
  readonly apiKey: string | null;
};

const shape = objectOf({
  organization: name('Of the organisation.'),
  email: text({ doc: 'Of its owner.', format: 'email' }),
  password: optional(
    text({ doc: 'Of its owner.', min: accessLimits.passwordMin, max: accessLimits.passwordMax }),
  ),
  apiKey: optional(text({ doc: 'With the role owner.', pattern: KEY_PATTERN })),
});

/**
 * The first organisation with its default team, its owner, who can sign in, and an API key of
 * the owner's role. Null, and nothing happens, when there is an organisation already.
 */
export async function bootstrap(
  sql: Sql,
  options: BootstrapOptions,
  dependencies: BootstrapDependencies,
): Promise<BootstrapResult | null> {
  const read = readObject(shape, options);
  if (!read.ok)
    throw new Error(read.problems.map(({ path, message }) => `${path} ${message}`).join('; '));
  if (await hasOrganization(sql)) return null;
  const password = options.password ?? newPassword(dependencies.random);
  const apiKey = options.apiKey ?? newKeyText(dependencies.random);
  const passwordHash = await dependencies.hashPassword(password);
  return transact(sql, async (tx) => {
    // Of two servers that start at once, the second finds the first one's organisation.
    await tx`select pg_advisory_xact_lock(hashtextextended('pager bootstrap', 0))`;
    if (await hasOrganization(tx)) return null;
    const inserted = await insertFirstOrganization(tx, {
      options,
      dependencies,
      apiKey,
      passwordHash,
    });
    return {
      ...inserted,
      password: options.password === undefined ? password : null,
      apiKey: options.apiKey === undefined ? apiKey : null,
    };
  });
}

async function hasOrganization(sql: Sql | Transaction): Promise<boolean> {
  const rows = await sql`select from organizations where id <> ${canaryId} limit 1`;
  return rows.length > 0;
}

type FirstOrganization = {
  readonly options: BootstrapOptions;
  readonly dependencies: BootstrapDependencies;
  readonly apiKey: string;
  readonly passwordHash: string;
};

async function insertFirstOrganization(
  tx: Transaction,
  { options, dependencies, apiKey, passwordHash }: FirstOrganization,
) {
  const { ids, now } = dependencies;
  const organizationId = ids.next();
  await tx`
    insert into organizations (id, name, timezone, version, created_at, updated_at)
    values (${organizationId}, ${options.organization}, 'Etc/UTC', 1, ${now.toString()},
      ${now.toString()})`;
  const act: Act = {
    organizationId,
    teamIds: null,
    actor: { kind: 'server', id: organizationId, name: 'first start' },
    requestId: null,
    now,
  };
  const team = await insertTeam(tx, {
    act,
    ids,
    fields: { name: 'Default', default: true, user_ids: [] },
  });
  const user = await insertOwner(tx, { act, ids, email: options.email, teamId: team.id });
  await setPassword(tx, {
    user: { id: user.id, name: user.first_name },
    passwordHash,
    ids,
    now,
  });
  await insertApiKey(tx, {
    act,
    ids,
    fields: { name: 'First key', role: 'owner' },
    prefix: keyPrefix(apiKey),
    digest: dependencies.digest(apiKey),
  });
  return { organizationId, teamId: team.id, userId: user.id, email: user.email };
}

type FirstOwner = {
  readonly act: Act;
  readonly ids: Ids;
  readonly email: string;
  readonly teamId: string;
};

function insertOwner(tx: Transaction, { act, ids, email, teamId }: FirstOwner): Promise<User> {
  return insertUser(tx, {
    act,
    ids,
    fields: {
      first_name: email.split('@')[0] ?? email,
      last_name: '',
      email,
      role: 'owner',
      team_ids: [teamId],
      active: true,
    },
  });
}
