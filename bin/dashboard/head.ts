// What stands in the head of the page before all else: the script that sets the theme before
// anything is painted, and the font, which is not waited for until the style is read.
import type { Plugin } from 'vite';

const THEME = 'src/dashboard/shell/theme-before-paint.ts';

export function headOfPage(root: string): Plugin {
  return {
    name: 'pager-head',
    buildStart() {
      this.emitFile({ type: 'chunk', id: `${root}/${THEME}`, name: 'theme' });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const files = Object.keys(bundle);
        const theme = files.find((file) => /^assets\/theme-.*\.js$/.test(file));
        const font = files.find((file) =>
          /^assets\/hanken-grotesk-latin-wght.*\.woff2$/.test(file),
        );
        if (theme === undefined || font === undefined) throw new Error('the head lacks a file');
        const fontAttributes = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '' };
        return [
          { tag: 'script', attrs: { src: `/${theme}` }, injectTo: 'head-prepend' },
          { tag: 'link', attrs: { ...fontAttributes, href: `/${font}` }, injectTo: 'head-prepend' },
        ];
      },
    },
  };
}
