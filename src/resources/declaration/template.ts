// Texts with placeholders that are filled in when they are used: `{{title}}`,
// `{{details.labels.host}}`.
import { detailPathIn, detailsPrefix } from '../detail-path.ts';
import type { Problem } from './resource.ts';

/** A placeholder with its name; it is not closed if the second group is empty. */
const PLACEHOLDER = /\{\{(.*?)(\}\}|$)/gs;

/** What a placeholder may name of an incident, besides `details.` and a path in its details. */
export const placeholders = {
  title: 'the title',
  priority: 'the priority, such as `p1`',
  severity: 'the severity, such as `sev1`',
  alerts_total: 'how many alerts it has, active and resolved. 0 if a person opened it',
} as const;
export type PlaceholderName = keyof typeof placeholders;

export const isPlaceholder = (name: string): name is PlaceholderName =>
  Object.hasOwn(placeholders, name);

const isKnown = (name: string): boolean => isPlaceholder(name) || (detailPathIn(name) ?? '') !== '';

const written = [...Object.keys(placeholders), `${detailsPrefix}key`].map((name) => `{{${name}}}`);

/** All of them in a sentence, each as `as` writes it. */
export function placeholdersText(as = (placeholder: string) => placeholder): string {
  const all = written.map(as);
  return `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

/** The table of docs/routing-rules.md and docs/playbooks.md. */
export const placeholdersTable = (): string =>
  [
    '| Placeholder | Replaced by |',
    '|---|---|',
    ...Object.entries(placeholders).map(([name, of]) => `| \`{{${name}}}\` | ${of} |`),
    `| \`{{${detailsPrefix}labels.host}}\` | the value at that path in the details |`,
  ].join('\n');

/** The text with each placeholder replaced by what `fill` answers for its name. */
export const fillPlaceholders = (template: string, fill: (name: string) => string): string =>
  template.replace(PLACEHOLDER, (_place, name: string) => fill(name.trim()));

/** Placeholders that nothing can fill. */
export function templateProblems(path: string, template: string): readonly Problem[] {
  const wrong = [...template.matchAll(PLACEHOLDER)].find(
    ([, name = '', closing]) => closing === '' || !isKnown(name.trim()),
  );
  if (wrong === undefined) return [];
  const [placeholder] = wrong;
  const message = `contains the unknown placeholder ${placeholder}: use ${placeholdersText()}`;
  return [{ path, message }];
}
