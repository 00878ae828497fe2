// The dashboard as it was built, read once: page and assets stay of one build while a server runs.
// Assets of the build before are there too, for pages that were loaded before the server was renewed.
import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};
/** Where a build puts what the one before had in `assets`. */
export const PREVIOUS_ASSETS = 'previous-assets';
const encodings = { br: '.br', gzip: '.gz' } as const;
type Encoding = keyof typeof encodings;

export type DashboardFile = {
  readonly type: string;
  readonly etag: string;
  readonly bytes: Buffer;
  /** Where the build made one. */
  readonly compressed: Readonly<Partial<Record<Encoding, Buffer>>>;
};
export type Dashboard = {
  readonly page: DashboardFile;
  /** The service worker. */
  readonly worker: DashboardFile | null;
  /** By name. */
  readonly assets: ReadonlyMap<string, DashboardFile>;
};

/** Null: it was not built. */
export async function readDashboard(folder: string): Promise<Dashboard | null> {
  const page = await readDashboardFile(join(folder, 'index.html'));
  if (page === null) return null;
  const assets = new Map<string, DashboardFile>();
  for (const cwd of [join(folder, 'assets'), join(folder, PREVIOUS_ASSETS)])
    for await (const name of glob('*', { cwd })) {
      const file = await readDashboardFile(join(cwd, name));
      if (file !== null && !assets.has(name)) assets.set(name, file);
    }
  return { page, worker: await readDashboardFile(join(folder, 'sw.js')), assets };
}

async function readDashboardFile(path: string): Promise<DashboardFile | null> {
  const type = types[extname(path)];
  const bytes = await readIfThere(path);
  if (type === undefined || bytes === null) return null;
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  const br = await readIfThere(`${path}${encodings.br}`);
  const gzip = await readIfThere(`${path}${encodings.gzip}`);
  return { type, etag, bytes, compressed: { ...(br && { br }), ...(gzip && { gzip }) } };
}

async function readIfThere(path: string): Promise<Buffer | null> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

/** The smallest form that the browser takes. */
export function encodedFor(
  file: DashboardFile,
  accepted = '',
): { readonly encoding: Encoding | null; readonly bytes: Buffer } {
  const wanted = accepted.split(',').map((part) => part.split(';')[0]?.trim());
  for (const encoding of ['br', 'gzip'] as const) {
    const bytes = file.compressed[encoding];
    if (bytes !== undefined && wanted.includes(encoding)) return { encoding, bytes };
  }
  return { encoding: null, bytes: file.bytes };
}
