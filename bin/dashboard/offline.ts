// The service worker, with the one page that it answers: whole in itself, since nothing can be
// loaded when it is shown.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Plugin, transformWithOxc } from 'vite';
import { deviceChannel } from '../../src/resources/channels.ts';
import { iconPath } from './manifest.ts';

const FOLDER = 'src/dashboard/offline';
const WORKER = 'sw.js';

export function offlineWorker(root: string): Plugin {
  const read = (file: string) => readFile(join(root, file), 'utf8');
  return {
    name: 'pager-offline',
    async config() {
      const tokens = await read('src/api/pages/tokens.css');
      const style = `${tokens.replace('@theme {', ':root {')}${await read(`${FOLDER}/offline.css`)}`;
      const script = async (file: string) => (await transformWithOxc(await read(file), file)).code;
      const theme = await script('src/dashboard/shell/theme-before-paint.ts');
      const again = await script(`${FOLDER}/again.ts`);
      const hashes = (...texts: readonly string[]) => texts.map(hashOf).join(' ');
      const policy = [
        `default-src 'none'; style-src ${hashes(style)}; script-src ${hashes(theme, again)}`,
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      ].join('; ');
      const page = pageOf({ style, theme, again });
      const icon = JSON.stringify(await iconPath(root));
      const channel = JSON.stringify(deviceChannel);
      return {
        define: {
          OFFLINE: JSON.stringify({ page, policy }),
          ICON: icon,
          DEVICE_CHANNEL: channel,
        },
      };
    },
    buildStart() {
      this.emitFile({ type: 'chunk', id: join(root, FOLDER, 'worker.ts'), fileName: WORKER });
    },
    // No browser registers a classic worker that imports something.
    generateBundle(_options, bundle) {
      const worker = bundle[WORKER];
      if (worker?.type !== 'chunk' || worker.imports.length > 0)
        throw new Error('the service worker is not in one file');
    },
  };
}

/** As a content security policy names what stands in a page. */
const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

type Parts = Readonly<Record<'style' | 'theme' | 'again', string>>;

const pageOf = ({ style, theme, again }: Parts): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>No connection · Pager</title>
<script>${theme}</script>
<style>${style}</style>
</head>
<body>
<main>
<h1>No connection to Pager</h1>
<p>This device is offline, or the server is not responding. Pager opens here as soon as it can be reached.</p>
<button type="button">Try again</button>
<p role="status"></p>
</main>
<script>${again}</script>
</body>
</html>
`;
