import { type Actor, wayOf } from './story.ts';
import { words } from './words.ts';

/** After who did it: by what. */
export function Way({ actor }: { actor: Actor }) {
  const way = wayOf(actor);
  return way !== null && <span className="text-ink3"> {words.way(way)}</span>;
}
