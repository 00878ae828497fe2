// Schemas of reports.
import Type, { type TSchema } from 'typebox';
import { queryLimits } from '../../limits/queries.ts';
import { channelNames } from '../../resources/channel-names.ts';
import { count, instant, word } from '../../resources/declaration/answer.ts';
import {
  choice,
  flag,
  id,
  objectOf,
  optional,
  weekday,
  wholeNumber,
} from '../../resources/declaration/field.ts';
import { nightHours } from '../../resources/night-hours.ts';

const period = (what: string) => ({
  from: instant('When the period of the report begins.'),
  to: instant('When the period of the report ends.'),
  complete: flag({ doc: `Whether all ${what} of the period were counted.` }),
  counted_from: optional(
    instant(`The time from which all ${what} were counted. Absent if complete is true.`),
  ),
});

const seconds = (what: string) =>
  optional(
    objectOf(
      {
        median: count('The median, in seconds.'),
        p90: count('The 90th percentile, in seconds.'),
      },
      what,
    ),
  );

const figures = {
  opened: count('The number of incidents that were opened.'),
  acknowledged: count('How many of them a person acknowledged.'),
  acknowledge_seconds: seconds(
    'The time from the opening of an incident to its first acknowledgement by a person. Incidents that nobody acknowledged are left out. Absent if nobody acknowledged any.',
  ),
  resolved: count(
    'How many of them were resolved by a person, an API key, a rule, a playbook or their monitoring tool.',
  ),
  resolve_seconds: seconds(
    'The time from the opening of an incident to its last resolution. Open incidents, merged incidents, and those resolved by a timer are left out. Absent if none is left.',
  ),
};

const verdictCounts = {
  ended: count('The number of resolved incidents. Merged incidents are left out.'),
  answered: count('How many of them have a verdict.'),
  real: count('The number of incidents with the verdict real.'),
  false_alarm: count('The number of incidents with the verdict false_alarm.'),
  nothing_to_do: count('The number of incidents with the verdict nothing_to_do.'),
  unclear: count('The number of incidents with the verdict unclear.'),
};

const listOf = (fields: TSchema, description: string) => Type.Array(fields, { description });

const integration = {
  integration_id: id('The integration that received the alerts.'),
  integration: optional(word('The name of this integration.')),
};
const dedup_key = word('The dedup key of these incidents.');
const newest = {
  incident_number: wholeNumber({
    doc: 'The number of the newest of these incidents.',
    min: 1,
    max: 2 ** 31 - 1,
  }),
  incident_title: word('The title of the newest of these incidents.'),
};
const order = `Those with the most false alarms and incidents with nothing to do come first, at most ${queryLimits.keysReported}.`;

export const incidentReportShape = objectOf({
  ...period('incidents'),
  timezone: word('The time zone of the weeks and hours.'),
  timelines_removed_before: optional(
    instant(
      'Timelines of incidents that ended before this time were removed. Those incidents count as not acknowledged. Absent if no timelines were removed.',
    ),
  ),
  total: objectOf(figures, 'The whole period.'),
  weeks: listOf(
    objectOf({
      date: Type.String({
        description: 'The Monday of the week in the time zone, such as 2026-03-02.',
        format: 'date',
      }),
      from: instant('When the week begins, or the period if that is later.'),
      to: instant('When the week ends, or the period if that is earlier.'),
      ...figures,
    }),
    'One entry for each week, oldest first. An incident belongs to the week in which it was opened.',
  ),
  hours: listOf(
    objectOf({
      weekday: weekday('The day of the week in the time zone.'),
      hour: wholeNumber({ doc: 'The hour of the day in the time zone.', min: 0, max: 23 }),
      opened: figures.opened,
    }),
    'One entry for each hour of each weekday, from Monday at 0.',
  ),
  keys: listOf(
    objectOf({
      ...integration,
      dedup_key,
      opened: count('The number of incidents with this key.'),
      unacknowledged: count('How many of them nobody acknowledged.'),
      suppressed: count('The number of alerts that were added to these incidents.'),
      ...newest,
    }),
    'The keys with the most incidents. Incidents opened by hand are left out.',
  ),
  verdicts: objectOf(
    {
      total: objectOf(verdictCounts, 'All incidents of the period.'),
      integrations: listOf(
        objectOf({ ...integration, ...verdictCounts }),
        `The integrations that received the alerts. ${order}`,
      ),
      rules: listOf(
        objectOf({
          rule_id: id('The routing rule that acted on the incidents.'),
          rule: optional(word('The name of this rule.')),
          ...verdictCounts,
        }),
        `The routing rules that acted on incidents. An incident counts for each of them. ${order}`,
      ),
      keys: listOf(
        objectOf({ ...integration, dedup_key, ...newest, ...verdictCounts }),
        `The keys of incidents. ${order}`,
      ),
    },
    'What the incidents of the period turned out to be, as people answered.',
  ),
});

const channels = Object.keys(channelNames) as (keyof typeof channelNames)[];
const pagesIn = (what: string) => count(`The number of pages ${what}.`);

export const pageReportShape = objectOf({
  ...period('pages'),
  pages_removed_before: optional(
    instant(
      'Pages that were finished before this time were removed and are not counted. Absent if no pages were removed.',
    ),
  ),
  people: listOf(
    objectOf({
      user_id: id('The id of the person who was paged.'),
      name: word('The name of the person.'),
      pages: pagesIn('that were sent to the person'),
      night: pagesIn(
        `of them that were created from ${nightHours.from}:00 to ${nightHours.to}:00 in the time zone of the person, or of the organization if the person has none`,
      ),
    }),
    'People who were paged, those with the most pages at night first.',
  ),
  channels: listOf(
    objectOf({
      channel: choice(channels, { doc: 'The channel of these pages.' }),
      pending: pagesIn('that are not sent yet or wait for a receipt'),
      sent: pagesIn('that were sent'),
      failed: pagesIn('that could not be sent'),
      cancelled: pagesIn('that were no longer needed'),
    }),
    'Channels with pages, those with the most pages first.',
  ),
});
