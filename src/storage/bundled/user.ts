import { chmod, chown, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The operating system's user a program runs as. */
export type SystemUser = { readonly uid: number; readonly gid: number };

/** The user without rights, on every Linux. */
const NOBODY: SystemUser = { uid: 65534, gid: 65534 };

/** PostgreSQL refuses to run as root; anyone else runs it as themselves. */
export function postgresUser(): SystemUser | undefined {
  return process.getuid?.() === 0 ? NOBODY : undefined;
}

/** Makes a folder that only this user can enter. */
export async function makePrivateDir(dir: string, user: SystemUser | undefined): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  if (user !== undefined) await chown(dir, user.uid, user.gid);
  await chmod(dir, 0o700);
}

/** Lets the user pass through our own folder, and refuses when one above it is closed. */
export async function openTheWay(dataDir: string, user: SystemUser | undefined): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: user === undefined ? 0o700 : 0o711 });
  if (user === undefined) return;
  if (!(await mayPass(dataDir, user)))
    await chmod(dataDir, ((await stat(dataDir)).mode | 0o011) & 0o7777);
  for (let dir = dirname(dataDir); dir !== dirname(dir); dir = dirname(dir)) {
    if (await mayPass(dir, user)) continue;
    throw new Error(
      `${dataDir} cannot be the data directory: started as root, PostgreSQL runs as user ` +
        `${user.uid}, who may not enter ${dir}. Choose another one, such as /var/lib/pager.`,
    );
  }
}

async function mayPass(dir: string, user: SystemUser): Promise<boolean> {
  const { mode, uid, gid } = await stat(dir);
  if (uid === user.uid) return (mode & 0o100) !== 0;
  if (gid === user.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}
