// What stands in the head of the page before all else: the script that sets the theme before
// anything is painted, and the one that reads ahead, which waits for nothing, with the session that
// it begins with.
import type { Plugin } from 'vite';

const SESSION = '/auth/session';
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
        const [theme, ahead] = [/^assets\/theme-.*\.js$/, /^assets\/ahead-.*\.js$/].map((name) =>
          files.find((file) => name.test(file)),
        );
        if (theme === undefined || ahead === undefined) throw new Error('the head lacks a file');
        const aheadAttributes = { type: 'module', async: true, crossorigin: '', src: `/${ahead}` };
        return [
          { tag: 'script', attrs: { src: `/${theme}` } },
          { tag: 'script', attrs: { ...aheadAttributes, fetchpriority: 'high' } },
          { tag: 'link', attrs: { rel: 'preload', as: 'fetch', crossorigin: '', href: SESSION } },
        ].map((one) => ({ ...one, injectTo: 'head-prepend' as const }));
      },
    },
  };
}
