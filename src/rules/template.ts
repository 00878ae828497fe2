import { oneLine, storable, titleOf } from '../alerts/text.ts';
import { fillPlaces } from '../resources/declaration/template.ts';
import { detailStart } from './details.ts';
import type { Facts } from './facts.ts';

type Told = Pick<Facts, 'title' | 'details' | 'priority' | 'severity'>;

/** Details may be as large as an event. */
const VALUE_MAX = 1_000;
const TEXT_MAX = 10_000;

/** The template with what is known of an incident in its places; what is absent leaves nothing. */
export function fill(template: string, told: Told): string {
  let left = TEXT_MAX;
  const filled = fillPlaces(template, (named) => {
    const value = left > 0 ? valueFor(named, told).slice(0, VALUE_MAX) : '';
    left -= value.length;
    return value;
  });
  return storable(filled.slice(0, TEXT_MAX));
}

/** As a title: one line, cut between words; the title as it was if nothing is left. */
export const fillTitle = (template: string, told: Told): string =>
  titleOf(oneLine(fill(template, told))) || told.title;

function valueFor(named: string, { title, priority, severity, details }: Told): string {
  switch (named) {
    case 'title':
      return title;
    case 'priority':
      return priority ?? '';
    case 'severity':
      return severity ?? '';
    default:
      return detailStart(details, named.slice('details.'.length), VALUE_MAX);
  }
}
