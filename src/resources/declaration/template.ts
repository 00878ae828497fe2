// Texts with placeholders that are filled in when they are used: `{{title}}`,
// `{{details.labels.host}}`.
import type { Problem } from './resource.ts';

/** A placeholder with its name; it is not closed if the second group is empty. */
const PLACEHOLDER = /\{\{(.*?)(\}\}|$)/gs;
const KNOWN_NAME = /^(title|priority|severity|details\..+)$/s;

/** The text with each placeholder replaced by what `fill` answers for its name. */
export const fillPlaceholders = (template: string, fill: (name: string) => string): string =>
  template.replace(PLACEHOLDER, (_place, name: string) => fill(name.trim()));

/** Placeholders that nothing can fill. */
export function templateProblems(path: string, template: string): readonly Problem[] {
  const wrong = [...template.matchAll(PLACEHOLDER)].find(
    ([, name = '', closing]) => closing === '' || !KNOWN_NAME.test(name.trim()),
  );
  if (wrong === undefined) return [];
  const [placeholder] = wrong;
  const known = '{{title}}, {{priority}}, {{severity}} and {{details.key}}';
  return [{ path, message: `contains the unknown placeholder ${placeholder}: use ${known}` }];
}
