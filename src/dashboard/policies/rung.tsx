import { words } from './words.ts';

type RungProps = { title: string; start: number | null };

/** The head of a step: its number, and when it runs while nobody acknowledges. */
export const Rung = ({ title, start }: RungProps) => (
  <p className="flex min-w-0 flex-1 flex-wrap items-center gap-2 font-medium">
    {title}
    <span className="rounded-md bg-sunken px-2 py-0.5 text-sm text-ink2">
      {start === null ? words.unknownStart : start === 0 ? words.atOnce : words.after(start)}
    </span>
  </p>
);
