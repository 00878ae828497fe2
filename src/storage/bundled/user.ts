import { execFile } from 'node:child_process';
import { chmod, chown, lchown, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { messageOf } from '../../engine/log.ts';
import { databaseLimits } from '../../limits/database.ts';

/** The operating system's user a program runs as. */
export type SystemUser = { readonly name: string; readonly uid: number; readonly gid: number };

/** The bundled PostgreSQL has nobody to run as; the message says what to do. */
export class NoPostgresUser extends Error {}

type ProcessUser = { readonly uid: number | undefined; readonly name: () => string };

const currentUser: ProcessUser = { uid: process.getuid?.(), name: () => userInfo().username };

const NAME = 'pager-postgres';
/** The first makes it where shadow's programs are, the second where busybox's are. */
const USER_COMMANDS = [
  ['useradd', '--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent'],
  ['adduser', '-S', '-D', '-H', '-h', '/nonexistent'],
] as const;
// Whoever makes another user at the same time holds a lock.
const TRIES = 20;
const RETRY_MILLISECONDS = 250;

/**
 * PostgreSQL refuses to run as root and gets a user of its own then, made once: a shared one, such
 * as nobody, would let whatever else runs as it read the database. Anyone else runs it themselves.
 */
export async function postgresUser(processUser = currentUser): Promise<SystemUser | undefined> {
  if (processUser.uid !== 0) {
    if (!hasName(processUser)) throw new NoPostgresUser(namelessMessage(processUser));
    return undefined;
  }
  for (let tries = 1; ; tries += 1) {
    const user = await readUser(NAME);
    if (user !== undefined) return user;
    const refusal = await createUser();
    if (refusal !== undefined && tries === TRIES) throw new NoPostgresUser(refusal);
    if (refusal !== undefined) await sleep(RETRY_MILLISECONDS);
  }
}

function hasName({ name }: ProcessUser): boolean {
  try {
    return name() !== '';
  } catch {
    return false;
  }
}

/** As in a container that is given a number of its own. */
const namelessMessage = ({ uid }: ProcessUser) =>
  `PostgreSQL runs only as a user with a name, and number ${uid} has none. Add it to ` +
  '/etc/passwd, start Pager as another user, or set PAGER_DATABASE_URL.';

/** Those who may connect as the database's superuser, by their names in the operating system. */
export const administrators = (user: SystemUser | undefined): readonly string[] =>
  user === undefined ? [userInfo().username] : [userInfo().username, user.name];

async function readUser(name: string): Promise<SystemUser | undefined> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n');
  const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(':');
  return fields && { name, uid: Number(fields[2]), gid: Number(fields[3]) };
}

/** Answers why it could not. */
async function createUser(): Promise<string | undefined> {
  const refusals: string[] = [];
  for (const [program, ...args] of USER_COMMANDS) {
    try {
      await promisify(execFile)(program, [...args, NAME], { timeout: databaseLimits.userTime });
      return undefined;
    } catch (error) {
      refusals.push(messageOf(error).trim());
    }
  }
  return [
    `PostgreSQL does not run as root, and its user ${NAME} cannot be made:`,
    ...refusals.map((refusal) => `  ${refusal}`),
    `Make it (useradd --system ${NAME}), start Pager as another user, or set PAGER_DATABASE_URL.`,
  ].join('\n');
}

/** Hands a folder and all in it to the user; nothing that runs may be using it. */
export async function changeOwner(dir: string, { uid, gid }: SystemUser): Promise<void> {
  for (const entry of await readdir(dir, { recursive: true }))
    await lchown(join(dir, entry), uid, gid);
  await chown(dir, uid, gid);
}

/** Makes a folder that only this user can enter. */
export async function makePrivateDir(dir: string, user: SystemUser | undefined): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  if (user !== undefined) await chown(dir, user.uid, user.gid);
  await chmod(dir, 0o700);
}

/** Lets the user pass through our own folder, and refuses when one above it is closed. */
export async function openPathTo(dataDir: string, user: SystemUser | undefined): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: user === undefined ? 0o700 : 0o711 });
  if (user === undefined) return;
  if (!(await canEnter(dataDir, user)))
    await chmod(dataDir, ((await stat(dataDir)).mode | 0o011) & 0o7777);
  for (let dir = dirname(dataDir); dir !== dirname(dir); dir = dirname(dir)) {
    if (await canEnter(dir, user)) continue;
    throw new Error(
      `${dataDir} cannot be the data directory: started as root, PostgreSQL runs as user ` +
        `${user.name}, who may not enter ${dir}. Choose another one, such as /var/lib/pager.`,
    );
  }
}

async function canEnter(dir: string, user: SystemUser): Promise<boolean> {
  const { mode, uid, gid } = await stat(dir);
  if (uid === user.uid) return (mode & 0o100) !== 0;
  if (gid === user.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}
