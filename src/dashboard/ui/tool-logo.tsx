import { monogramOf } from '../../resources/monogram.ts';

/** The sprite of logos and whose they are: the build puts them here. */
declare const TOOL_LOGOS: { readonly sprite: string; readonly slugs: readonly string[] };

/** Of an integration type, beside its name: its logo, else two letters. */
export const ToolLogo = ({ slug, name }: { slug: string; name: string }) =>
  TOOL_LOGOS.slugs.includes(slug) ? (
    <svg aria-hidden="true" viewBox="0 0 24 24" className="size-6 shrink-0 fill-current">
      <use href={`${TOOL_LOGOS.sprite}#${slug}`} />
    </svg>
  ) : (
    <span
      aria-hidden="true"
      className="inline-flex size-6 shrink-0 items-center justify-center rounded-sm border border-edge text-xs font-bold text-ink2"
    >
      {monogramOf(name)}
    </span>
  );
