import { useId } from 'react';
import type { Change } from './organization.ts';
import { words } from './words.ts';

/** What the next save does, field by field. */
export function Changes({ changes }: { changes: readonly Change[] }) {
  const id = useId();
  if (changes.length === 0) return null;
  return (
    <section aria-labelledby={id} className="rounded-md bg-sunken px-3 py-2">
      <h2 id={id} className="font-medium">
        {words.changes}
      </h2>
      <dl className="mt-1 flex flex-col gap-1">
        {changes.map(({ name, label, before, after }) => (
          <div key={name}>
            <dt className="text-sm text-ink2">{label}</dt>
            <dd className="whitespace-pre-line wrap-anywhere">
              <del className="text-ink3">
                <bdi>{before || words.nothing}</bdi>
              </del>{' '}
              →{' '}
              <ins className="no-underline">
                <bdi>{after || words.nothing}</bdi>
              </ins>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
