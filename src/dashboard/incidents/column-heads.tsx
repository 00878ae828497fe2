import { words } from './words.ts';

const columns = ['number', 'priority', 'title', 'service', 'who', 'age'] as const;

/** For the eye: each row is a link, and is read as a whole. */
export const ColumnHeads = () => (
  <div aria-hidden="true" className="incident-heads">
    {columns.map((column) => (
      <span key={column} className={`incident-${column}`}>
        {words.columns[column === 'priority' ? 'urgency' : column]}
      </span>
    ))}
  </div>
);
