// What a phone puts on its home screen: the manifest, its icons, and where they stand in the head.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const FOLDER = 'src/dashboard/icons';
const icons = [
  { file: 'icon-192.png', sizes: '192x192', purpose: 'any' },
  { file: 'icon-512.png', sizes: '512x512', purpose: 'any' },
  { file: 'maskable-512.png', sizes: '512x512', purpose: 'maskable' },
];
/** iOS takes it from the head, and draws the corners. */
const TOUCH_ICON = 'touch-180.png';
/** `--color-bg` of app.css, as manifests and bars of browsers take it. */
const background = { light: '#fbfaf8', dark: '#0e0f12' };

/** The same for the same content. */
function assetName(name: string, source: string | Buffer): string {
  const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8);
  return `assets/${name.replace('.', `-${hash}.`)}`;
}

/** Of what the service worker shows: its path. */
export async function iconPath(root: string): Promise<string> {
  const file = 'icon-192.png';
  return `/${assetName(file, await readFile(join(root, FOLDER, file)))}`;
}

export function manifest(root: string): Plugin {
  let head: readonly { tag: string; attrs: Record<string, string> }[] = [];
  return {
    name: 'pager-manifest',
    async buildStart() {
      const emit = (name: string, source: string | Buffer): string => {
        const fileName = assetName(name, source);
        this.emitFile({ type: 'asset', fileName, source });
        return `/${fileName}`;
      };
      const emitIcon = async (file: string) => emit(file, await readFile(join(root, FOLDER, file)));
      const shown = icons.map(async ({ file, ...icon }) => ({
        ...icon,
        src: await emitIcon(file),
        type: 'image/png',
      }));
      const text = JSON.stringify({
        id: '/',
        name: 'Pager',
        start_url: '/incidents',
        scope: '/',
        display: 'standalone',
        background_color: background.dark,
        theme_color: background.dark,
        icons: await Promise.all(shown),
        shortcuts: [
          { name: 'Open incidents', url: '/incidents' },
          { name: 'My incidents', url: '/incidents?tab=mine' },
        ],
      });
      head = [
        { tag: 'link', attrs: { rel: 'manifest', href: emit('manifest.webmanifest', text) } },
        { tag: 'link', attrs: { rel: 'apple-touch-icon', href: await emitIcon(TOUCH_ICON) } },
        ...Object.entries(background).map(([theme, content]) => ({
          tag: 'meta',
          attrs: { name: 'theme-color', content, media: `(prefers-color-scheme: ${theme})` },
        })),
      ];
    },
    transformIndexHtml: {
      order: 'post',
      handler: () => head.map((one) => ({ ...one, injectTo: 'head' as const })),
    },
  };
}
