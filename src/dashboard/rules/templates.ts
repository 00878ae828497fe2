// What a new rule can begin with.
import type { Draft } from '../form/draft.ts';
import { templateWords } from './words.ts';

export type TemplateName = keyof typeof templateWords;

export const templateNames = Object.keys(templateWords) as TemplateName[];

export const isTemplate = (name: string | undefined): name is TemplateName =>
  templateNames.some((one) => one === name);

/** With the zone in which its hours and days are. */
export function templateOf(name: TemplateName, timezone: string): Draft {
  const of = (condition: object, action: object): Draft => ({
    name: templateWords[name].title,
    condition_groups: [{ conditions: [condition] }],
    actions: [action],
  });
  const low = { type: 'priority', priority: 'p4' };
  switch (name) {
    case 'night':
      return of({ type: 'incidentTiming', start: '22:00', end: '06:00', timezone }, low);
    case 'weekend':
      return of({ type: 'incidentDays', days: ['saturday', 'sunday'], timezone }, low);
    case 'staging':
      return of(
        { type: 'incidentDetails', key: 'labels.env', comparator: 'equals', text: 'staging' },
        { type: 'ignoreIncident' },
      );
    case 'repeated':
      return of(
        { type: 'incidentRepeatedWithin', count: 3, minutes: 60 },
        { type: 'priority', priority: 'p1' },
      );
    case 'timer':
      return of({ type: 'allIncidents' }, { type: 'resolveTimer', after: 1, unit: 'days' });
  }
}

type ForEvent = {
  /** Without one, for all alerts. */
  readonly title: string | undefined;
  readonly integrationId: string | undefined;
};

/** For alerts like this one; what the rule does is still to be chosen. */
export const forEvent = ({ title, integrationId }: ForEvent): Draft => ({
  condition_groups: [
    {
      conditions: [
        title === undefined
          ? { type: 'allIncidents' }
          : { type: 'incidentMessage', comparator: 'contains', text: title },
      ],
    },
  ],
  ...(integrationId !== undefined && { integration_ids: [integrationId] }),
});
