// What stands in the head of the page before all else: the script that sets the theme before
// anything is painted, the one that reads ahead, and the font, which is not waited for until the
// style is read.
import type { Plugin, Rolldown } from 'vite';

const THEME = 'src/dashboard/shell/theme-before-paint.ts';
const AHEAD = 'src/dashboard/read-ahead.ts';

export function headOfPage(root: string): Plugin {
  return {
    name: 'pager-head',
    buildStart() {
      this.emitFile({ type: 'chunk', id: `${root}/${THEME}`, name: 'theme' });
      this.emitFile({ type: 'chunk', id: `${root}/${AHEAD}`, name: 'ahead' });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const files = Object.keys(bundle);
        const [theme, ahead, font] = [
          /^assets\/theme-.*\.js$/,
          /^assets\/ahead-.*\.js$/,
          /^assets\/hanken-grotesk-latin-wght.*\.woff2$/,
        ].map((name) => files.find((file) => name.test(file)));
        if (theme === undefined || ahead === undefined || font === undefined)
          throw new Error('the head lacks a file');
        // The font comes after what is run.
        const fontAttributes = {
          ...{ rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '' },
          ...{ href: `/${font}`, fetchpriority: 'low' },
        };
        const aheadAttributes = { type: 'module', crossorigin: '', src: `/${ahead}` };
        return [
          { tag: 'script', attrs: { src: `/${theme}` } },
          { tag: 'script', attrs: aheadAttributes },
          ...importsOf(ahead, bundle).map((file) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: '', href: `/${file}` },
          })),
          { tag: 'link', attrs: fontAttributes },
        ].map((one) => ({ ...one, injectTo: 'head-prepend' as const }));
      },
    },
  };
}

/** All files that this one does not run without. */
function importsOf(file: string, bundle: Rolldown.OutputBundle): readonly string[] {
  const chunk = bundle[file];
  const own = chunk?.type === 'chunk' ? chunk.imports : [];
  return [...new Set([...own, ...own.flatMap((one) => importsOf(one, bundle))])];
}
