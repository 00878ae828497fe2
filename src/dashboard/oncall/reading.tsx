import { words } from '../ui/words.ts';

/** Rows of a list that is being read. */
export const Reading = () => (
  <div role="status" aria-label={words.loading} className="appear-late px-4 py-4 md:px-5">
    {['w-64', 'w-80', 'w-56'].map((width) => (
      <span key={width} className={`mb-5 block h-5 max-w-full rounded-sm bg-line ${width}`} />
    ))}
  </div>
);
