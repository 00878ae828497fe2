// The declarations of all integration types, as src/alerts/types has them.
import { readdirSync } from 'node:fs';
import type { Tool } from '../src/alerts/reading/notation.ts';

const folder = new URL('../src/alerts/types/', import.meta.url);

/** By slug. */
export const tools: readonly Tool[] = await readTools();

async function readTools(): Promise<readonly Tool[]> {
  const files = readdirSync(folder).filter((name) => /^[\w-]+\.ts$/.test(name));
  const modules = await Promise.all(files.map((file) => import(new URL(file, folder).href)));
  const declared = modules.flatMap((module) => Object.values(module).filter(isTool));
  return declared.sort((one, other) => (one.slug < other.slug ? -1 : 1));
}

function isTool(value: unknown): value is Tool {
  return typeof value === 'object' && value !== null && 'slug' in value && 'forms' in value;
}
