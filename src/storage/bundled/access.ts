// Who may connect to a bundled server: the program with a password, as the owner of its database
// and nothing else; whoever runs the server, as its superuser, by what the system calls them.
import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PostgresBinaries } from './binaries.ts';
import { DATABASE, type Layout, runner } from './cluster.ts';
import { administrators, type SystemUser } from './user.ts';

type Access = {
  readonly layout: Layout;
  readonly binaries: PostgresBinaries;
  readonly user: SystemUser | undefined;
};

const SUPERUSER = DATABASE;
const SERVER = 'pager_server';

const passwordFile = ({ home }: Layout) => join(home, 'password');
const hbaFile = ({ home }: Layout) => join(home, 'pg_hba.conf');
const identFile = ({ home }: Layout) => join(home, 'pg_ident.conf');

/** Null before the program was given its role. */
export async function passwordOf(layout: Layout): Promise<string | null> {
  const text = await readFile(passwordFile(layout), 'utf8').catch(() => null);
  return text?.trim() || null;
}

export const urlFor = ({ socketDir }: Layout, password: string): string =>
  urlOf(`${SERVER}:${password}`, socketDir);

/** For those who administer the server. */
export const superuserUrl = ({ socketDir }: Layout): string => urlOf(SUPERUSER, socketDir);

const urlOf = (who: string, socketDir: string) =>
  `postgres://${who}@localhost/${DATABASE}?host=${encodeURIComponent(socketDir)}`;

/** Gives the program its role and a new password, which it answers, while no server runs on the cluster. */
export async function grantAccess({ layout, binaries, user }: Access): Promise<string> {
  const password = randomBytes(32).toString('hex');
  const run = runner(layout.home, user);
  await run(
    binaries.postgres,
    ['--single', '-j', '-D', layout.cluster, DATABASE],
    grants(password),
  );
  const partial = `${passwordFile(layout)}.new`;
  await rm(partial, { force: true });
  await writeFile(partial, `${password}\n`, { mode: 0o600, flush: true });
  await rename(partial, passwordFile(layout));
  return password;
}

/** Statements for a server of one user, each ended by an empty line; they may be run again. */
const grants = (password: string) => `
do $$ begin
  if not exists (select from pg_roles where rolname = '${SERVER}') then
    create role ${SERVER};
  end if;
end $$;

alter role ${SERVER} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls
  password '${password}';

alter database ${DATABASE} owner to ${SERVER};

-- What the superuser made, as it did in the first versions and as a restored dump may.
do $$ declare command text; begin
  for command in
    select format('alter table %s owner to ${SERVER}', oid::regclass) from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')
      and relowner = '${SUPERUSER}'::regrole
    union all
    select format('alter routine %s owner to ${SERVER}', oid::regprocedure) from pg_proc
    where pronamespace = 'public'::regnamespace and proowner = '${SUPERUSER}'::regrole
    union all
    select format('alter type %s owner to ${SERVER}', oid::regtype) from pg_type
    where typnamespace = 'public'::regnamespace and typtype in ('d', 'e')
      and typowner = '${SUPERUSER}'::regrole
  loop
    execute command;
  end loop;
end $$;

`;

/** Written before each start, so that they are as this version and this machine have them. */
export async function writeAccessFiles({ layout, user }: Omit<Access, 'binaries'>): Promise<void> {
  const hba = [
    `local all ${SUPERUSER} peer map=administrators`,
    `local ${DATABASE} ${SERVER} scram-sha-256`,
  ];
  const ident = administrators(user).map((name) => `administrators "${name}" ${SUPERUSER}`);
  await writeFile(hbaFile(layout), `${hba.join('\n')}\n`, { mode: 0o644 });
  await writeFile(identFile(layout), `${ident.join('\n')}\n`, { mode: 0o644 });
}

export const accessSettings = (layout: Layout): Readonly<Record<string, string>> => ({
  hba_file: hbaFile(layout),
  ident_file: identFile(layout),
});
