import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

/** The texts of limits are for docs/operating.md. A browser needs only the numbers. */
export const limitValues = (root: string): Plugin => ({
  name: 'pager-limit-values',
  enforce: 'pre',
  async load(id) {
    if (dirname(id) !== join(root, 'src', 'limits')) return null;
    const exported: Readonly<Record<string, unknown>> = await import(pathToFileURL(id).href);
    const numbers = Object.entries(exported).filter(([name]) => name.endsWith('Limits'));
    return numbers
      .map(([name, values]) => `export const ${name} = ${JSON.stringify(values)};`)
      .join('\n');
  },
});
