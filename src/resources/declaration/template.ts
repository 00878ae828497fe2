// Texts with places that are filled in when they are used: `{{title}}`, `{{details.labels.host}}`.
import type { Problem } from './resource.ts';

/** A place, with what it names; not closed if the second part is empty. */
const PLACE = /\{\{(.*?)(\}\}|$)/gs;
const NAMED = /^(title|priority|severity|details\..+)$/s;

/** The text with each place put through `fill`, which is given what the place names. */
export const fillPlaces = (template: string, fill: (named: string) => string): string =>
  template.replace(PLACE, (_place, named: string) => fill(named.trim()));

/** Places that can never be filled. */
export function templateProblems(path: string, template: string): readonly Problem[] {
  const wrong = [...template.matchAll(PLACE)].find(
    ([, named = '', closing]) => closing === '' || !NAMED.test(named.trim()),
  );
  if (wrong === undefined) return [];
  const [place] = wrong;
  const known = '{{title}}, {{priority}}, {{severity}} and {{details.key}}';
  return [{ path, message: `has ${place}, which is none of ${known}` }];
}
