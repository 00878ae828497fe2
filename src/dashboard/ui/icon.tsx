import type { iconNames } from './icon-names.ts';

/** The address of the sprite: the build puts it here. */
declare const ICON_SPRITE: string;

export type IconName = (typeof iconNames)[number];

/** Beside words that say the same; alone, its button has a label. */
export function Icon({ name, className = 'size-4' }: { name: IconName; className?: string }) {
  return (
    <svg aria-hidden="true" className={`shrink-0 ${className}`}>
      <use href={`${ICON_SPRITE}#${name}`} />
    </svg>
  );
}
