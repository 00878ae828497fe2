// The addresses that an alert is shown with.
import type { Link } from '../alert.ts';
import { linkOf, linksOf, linksOnce } from '../words.ts';
import type { Form } from './notation.ts';
import { opened, type Path, pathOf, type Scope, textOf, valueAt } from './path.ts';
import { listOf } from './rules.ts';

export function linksFrom(written: Form['links'] = {}): (scope: Scope) => readonly Link[] {
  const named = Object.entries(written).map(([text, places]) => ({
    text,
    paths: listOf(places).map(pathOf),
  }));
  return (scope) => {
    const all = named.flatMap(({ text, paths }) => {
      for (const path of paths) {
        const links = linksAt(path, scope, text);
        if (links.length > 0) return links;
      }
      return [];
    });
    return linksOnce(all);
  };
}

/** Of a list each, by its own text if it has one. */
function linksAt(path: Path, scope: Scope, text: string): readonly Link[] {
  const value = valueAt(path, scope, 'exact') ?? valueAt(path, scope, 'loose');
  const entered = value === undefined ? undefined : opened(value);
  if (typeof entered === 'object') return linksOf(entered).map((link) => ({ text, ...link }));
  return linkOf(textOf(entered), text);
}
