import type { CSSProperties } from 'react';
import { hueOf, initialsOf } from './person.ts';

type PersonMarkProps = { id: string; name: string; hue?: number | undefined };

/** Beside the name: the same person is seen again without reading. */
export const PersonMark = ({ id, name, hue = hueOf(id) }: PersonMarkProps) => (
  <span aria-hidden="true" className="person-mark" style={{ '--hue': hue } as CSSProperties}>
    {initialsOf(name)}
  </span>
);
