// One sprite of the icons that the dashboard uses, for `<use href>`: Trusted Types forbid to put
// their bodies into a page.
import { createHash } from 'node:crypto';
import lucide from '@iconify-json/lucide/icons.json' with { type: 'json' };
import type { Plugin } from 'vite';
import { iconNames } from '../../src/dashboard/ui/icon-names.ts';

export function iconSprite(): Plugin {
  const sprite = spriteOf(iconNames);
  const hash = createHash('sha256').update(sprite).digest('base64url').slice(0, 8);
  const fileName = `assets/icons-${hash}.svg`;
  return {
    name: 'pager-icons',
    config: () => ({ define: { ICON_SPRITE: JSON.stringify(`/${fileName}`) } }),
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source: sprite });
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
