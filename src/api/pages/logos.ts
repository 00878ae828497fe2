// Logos of monitoring tools, in a sprite that `npm run generate` copies from simple-icons.
import { escaped } from '../../notices/words/html.ts';
import { monogramOf } from '../../resources/monogram.ts';
import { logosAddress, logosText } from './style.ts';

const drawn = new Set([...logosText.matchAll(/<symbol id="([^"]+)"/g)].map(([, slug]) => slug));

/** HTML: the logo of a type, else two letters of its name. */
export const logoHtml = ({ slug, name }: { readonly slug: string; readonly name: string }) =>
  drawn.has(slug)
    ? `<svg class="logo" aria-hidden="true" viewBox="0 0 24 24"><use href="${logosAddress}#${escaped(slug)}"/></svg>`
    : `<span class="logo" aria-hidden="true">${escaped(monogramOf(name))}</span>`;
