// The APIs that vendors publish, and requests that real tools have sent. Their licenses keep them out of
// this repository, so a clone has none of them. Tests use contracts and samples of our own, which are
// always there, and check against these files as well where somebody has them.
import { existsSync } from 'node:fs';
import { test } from 'node:test';

const folder = new URL('../../shared/', import.meta.url);

/** Null: the file is not here. `PAGER_TEST_PUBLISHED=required` makes that an error. */
export function published(path: string): URL | null {
  const url = new URL(path, folder);
  if (existsSync(url)) return url;
  if (process.env['PAGER_TEST_PUBLISHED'] === 'required')
    throw new Error(`../shared/${path} is missing: it is the second check of this run`);
  return null;
}

/** A second check, of a file or a folder: a test where it is here. */
export function testPublished(
  path: string,
  title: string,
  run: (at: URL) => void | Promise<void>,
): void {
  const at = published(path);
  if (at !== null) test(title, () => run(at));
}
