import { words } from '../ui/words.ts';

const rows = ['w-64', 'w-80', 'w-56', 'w-72'];

/** Of the list's own geometry; what is quick is not announced by it. */
export function IncidentsSkeleton() {
  return (
    <div role="status" aria-label={words.loading} className="appear-late pt-9">
      {rows.map((width) => (
        <div key={width} className="incident-row">
          <span className="incident-state">
            <Bar className="size-4.5" />
          </span>
          <span className="incident-title">
            <Bar className={`h-4 max-w-full ${width}`} />
          </span>
          <span className="incident-service">
            <Bar className="h-4 w-20 max-w-full" />
          </span>
        </div>
      ))}
    </div>
  );
}

const Bar = ({ className }: { className: string }) => (
  <span className={`inline-block rounded-sm bg-line align-middle ${className}`} />
);
