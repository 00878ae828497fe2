import { type ReactNode, useId } from 'react';
import { buttonClass } from '../ui/button.tsx';
import { words } from './words.ts';

type PartProps = { title: string; text: string; csv: string; children: ReactNode };

/** One subject of the report, over the whole width, with its table as a file. */
export function Part({ title, text, csv, children }: PartProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="report-part flex flex-col gap-3 border-b border-line px-4 py-6 last:border-b-0 md:px-5"
    >
      <div className="flex flex-wrap items-start justify-between gap-2">
        <div className="min-w-0 max-w-2xl">
          <h2 id={id} className="text-lg font-bold">
            {title}
          </h2>
          <p className="mt-1 text-pretty text-ink2">{text}</p>
        </div>
        <a href={csv} download aria-label={words.csvOf(title)} className={buttonClass()}>
          {words.csv}
        </a>
      </div>
      {children}
    </section>
  );
}

type TableProps = { label: string; heads: readonly string[]; children: ReactNode };

/** Its first column is what the row is about, the others are numbers. */
export const Table = ({ label, heads, children }: TableProps) => (
  <div className="relative overflow-x-auto">
    <table aria-label={label} className="w-full max-w-5xl border-collapse">
      <thead>
        <tr className="text-sm text-ink2">
          {heads.map((head, index) => (
            <th
              key={head}
              scope="col"
              className={`border-b border-line py-1.5 font-medium ${index === 0 ? 'pe-3 text-start' : 'px-3 text-end'}`}
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);

export const RowHead = ({ children }: { children: ReactNode }) => (
  <th
    scope="row"
    className="border-b border-line min-w-20 py-2 pe-3 text-start align-top font-normal"
  >
    {children}
  </th>
);

export const Cell = ({ children }: { children: ReactNode }) => (
  <td className="border-b border-line px-3 py-2 text-end align-top whitespace-nowrap">
    {children}
  </td>
);
