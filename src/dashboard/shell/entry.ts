/** Of the side menu. */
export const entry =
  'flex min-h-8 w-full items-center gap-2 rounded-md border border-transparent px-2 text-start text-ink2 hover:text-ink aria-[current]:border-line aria-[current]:bg-surface aria-[current]:font-medium aria-[current]:text-ink data-[popup-open]:text-ink pointer-coarse:min-h-11';
