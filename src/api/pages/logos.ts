// Logos of monitoring tools, as `npm run generate` copies them from simple-icons.
import { readFileSync } from 'node:fs';
import { escaped } from '../../notices/words/html.ts';
import { monogramOf } from '../../resources/monogram.ts';

const sprite = readFileSync(new URL('logos.svg', import.meta.url), 'utf8');
/** By slug, HTML. */
const logos = new Map(
  [...sprite.matchAll(/<symbol id="([^"]+)" viewBox="0 0 24 24">(.*)<\/symbol>/g)].map(
    ([, slug = '', logo = '']) => [slug, logo],
  ),
);

/** HTML: the logo of a type, else two letters of its name. In the page, whose policy loads no images. */
export function logoHtml({ slug, name }: { readonly slug: string; readonly name: string }): string {
  const logo = logos.get(slug);
  return logo === undefined
    ? `<span class="logo" aria-hidden="true">${escaped(monogramOf(name))}</span>`
    : `<svg class="logo" aria-hidden="true" viewBox="0 0 24 24">${logo}</svg>`;
}
