// The pages of the dashboard, as its router has them.
import { readFileSync } from 'node:fs';

const files = ['routes.tsx', 'record-routes.ts'];

/** Paths such as `/services/$id`. */
export const dashboardRoutes: readonly string[] = files.flatMap((name) => {
  const text = readFileSync(new URL(`../src/dashboard/shell/${name}`, import.meta.url), 'utf8');
  return Array.from(text.matchAll(/^ {2}path: '([^']+)'/gm), ([, path = '']) => path);
});
