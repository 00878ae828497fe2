// Sprites of the icons that the dashboard uses and of the logos of tools, for `<use href>`: Trusted
// Types forbid to put their bodies into a page.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import lucide from '@iconify-json/lucide/icons.json' with { type: 'json' };
import type { Plugin } from 'vite';
import { iconNames } from '../../src/dashboard/ui/icon-names.ts';

export function iconSprite(): Plugin {
  return emitted('icons', spriteOf(iconNames), (path) => ({ ICON_SPRITE: JSON.stringify(path) }));
}

export function toolLogos(root: string): Plugin {
  const source = readFileSync(join(root, 'src/api/pages/logos.svg'), 'utf8');
  const slugs = [...source.matchAll(/<symbol id="([^"]+)"/g)].map(([, slug]) => slug);
  return emitted('logos', source, (sprite) => ({ TOOL_LOGOS: JSON.stringify({ sprite, slugs }) }));
}

/** As an asset whose path the code knows. */
function emitted(
  name: string,
  source: string,
  defined: (path: string) => Record<string, string>,
): Plugin {
  const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8);
  const fileName = `assets/${name}-${hash}.svg`;
  return {
    name: `pager-${name}`,
    config: () => ({ define: defined(`/${fileName}`) }),
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source });
    },
  };
}

function spriteOf(names: readonly string[]): string {
  const icons: Readonly<Record<string, { readonly body: string } | undefined>> = lucide.icons;
  const symbols = names.map((name) => {
    const icon = icons[name];
    if (icon === undefined) throw new Error(`Lucide has no icon ${name}`);
    return `<symbol id="${name}" viewBox="0 0 24 24">${icon.body}</symbol>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>`;
}
