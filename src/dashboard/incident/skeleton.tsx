import { words } from '../ui/words.ts';

/** Of the page's own geometry; what is quick is not announced by it. */
export const IncidentSkeleton = () => (
  <div role="status" aria-label={words.loading} className="incident-page appear-late">
    <div className="incident-head flex flex-col gap-2">
      <Bar className="h-5 w-40" />
      <Bar className="h-7 w-96" />
      <Bar className="h-5 w-72" />
    </div>
    <div className="incident-side">
      <Bar className="h-24 w-full" />
    </div>
  </div>
);

export const TimelineSkeleton = () => (
  <div role="status" aria-label={words.loading} className="appear-late flex flex-col gap-3">
    {['w-64', 'w-80', 'w-56'].map((width) => (
      <Bar key={width} className={`h-5 ${width}`} />
    ))}
  </div>
);

const Bar = ({ className }: { className: string }) => (
  <span className={`inline-block max-w-full rounded-sm bg-line ${className}`} />
);
