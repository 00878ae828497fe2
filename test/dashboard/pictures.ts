// What stories check is also photographed, where a folder is asked for by `npm run shots`.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { getTestContext } from 'node:test';
import type { Page } from 'playwright-core';

export const PICTURES = 'PAGER_TEST_PICTURES';

const folder = process.env[PICTURES];
const counts = new Map<string, number>();

/** Whether every state is wanted at every width in both themes, which takes minutes. */
export const arePicturesWanted = folder !== undefined;

/** Of the state that a story has reached: a name for its pictures, by the story and how many it has. */
export function nameOfState(): string {
  const story = (getTestContext()?.name ?? 'story').toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const count = (counts.get(story) ?? 0) + 1;
  counts.set(story, count);
  return `${story}-${count}`;
}

export async function takePicture(page: Page, name: string): Promise<void> {
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.evaluate('document.fonts.ready');
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
