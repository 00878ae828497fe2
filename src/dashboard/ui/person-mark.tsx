import type { CSSProperties } from 'react';
import { hueOf, initialsOf } from './person.ts';

/** Beside the name: the same person is seen again without reading. */
export const PersonMark = ({ id, name }: { id: string; name: string }) => (
  <span aria-hidden="true" className="person-mark" style={{ '--hue': hueOf(id) } as CSSProperties}>
    {initialsOf(name)}
  </span>
);
