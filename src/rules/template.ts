import { oneLine, storable, titleOf } from '../alerts/text.ts';
import { incidentsLimits } from '../limits/incidents.ts';
import {
  fillPlaceholders,
  isPlaceholder,
  type PlaceholderName,
} from '../resources/declaration/template.ts';
import { detailPathIn } from '../resources/detail-path.ts';
import { detailStart } from './details.ts';
import type { Facts } from './facts.ts';

export type TemplateFacts = Pick<
  Facts,
  'title' | 'details' | 'priority' | 'severity' | 'alertsTotal'
>;

/** The template with what is known of an incident in its places; what is absent leaves nothing. */
export function fill(template: string, facts: TemplateFacts): string {
  let left = incidentsLimits.templateText;
  const filled = fillPlaceholders(template, (named) => {
    const value = left > 0 ? valueFor(named, facts).slice(0, incidentsLimits.templateValue) : '';
    left -= value.length;
    return value;
  });
  return storable(filled.slice(0, incidentsLimits.templateText));
}

/** As a title: one line, cut between words; the title as it was if nothing is left. */
export const fillTitle = (template: string, facts: TemplateFacts): string =>
  titleOf(oneLine(fill(template, facts))) || facts.title;

function valueFor(named: string, facts: TemplateFacts): string {
  if (isPlaceholder(named)) return values[named](facts);
  const path = detailPathIn(named);
  return path === null ? '' : detailStart(facts.details, path, incidentsLimits.templateValue);
}

const values: Readonly<Record<PlaceholderName, (facts: TemplateFacts) => string>> = {
  title: ({ title }) => title,
  priority: ({ priority }) => priority ?? '',
  severity: ({ severity }) => severity ?? '',
  alerts_total: ({ alertsTotal }) => String(alertsTotal),
};
