import type { Fields } from '../../client/answer.ts';
import { Icon } from './icon.tsx';
import { Sentence } from './sentence.tsx';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Of the write that led to this page. */
    readonly warnings?: readonly string[];
  }
}

/** What the API says of a write that was done. */
export function warningsIn({ warnings }: Fields): readonly string[] {
  return Array.isArray(warnings) ? warnings.map(String) : [];
}

export const Warnings = ({ warnings }: { warnings: readonly string[] }) => (
  <div role="status" className="flex flex-col gap-1 text-left empty:hidden">
    {warnings.map((warning) => (
      <p key={warning} className="flex items-baseline gap-1.5 text-amber">
        <Icon name="triangle-alert" className="size-4 shrink-0 translate-y-0.5" />
        <span className="min-w-0 text-pretty wrap-anywhere">
          <Sentence text={warning} />
        </span>
      </p>
    ))}
  </div>
);
