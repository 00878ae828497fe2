// Schemas of the answers about pages, whichever list they are on.
import Type from 'typebox';
import { count, instant, word } from '../../resources/declaration/answer.ts';
import { flag, id, objectOf, optional, wholeNumber } from '../../resources/declaration/field.ts';
import { noticeFields } from './shapes.ts';

export const pageOfNotices = objectOf(
  {
    incident_id: id('The id of the incident of this page.'),
    incident_number: wholeNumber({
      doc: 'The number of the incident of this page.',
      min: 1,
      max: 2 ** 31 - 1,
    }),
    incident_title: word('The title of the incident of this page.'),
    team_id: id('The team that owns the incident.'),
    service_id: id('The service that the incident is about.'),
    service: optional(word('The name of the service.')),
    step: optional(
      wholeNumber({
        doc: 'The step of the escalation policy, counted from 1. Absent if the page belongs to no step, as pages to the team’s admins do.',
        min: 1,
        max: 2 ** 31 - 1,
      }),
    ),
    ...noticeFields,
  },
  'A page to a person or chat.',
);

const inState = (what: string) => count(`The number of pages ${what}.`);

export const countsShape = objectOf({
  data: Type.Array(
    objectOf({
      date: Type.String({
        description: 'The day in the time zone, such as 2026-03-02.',
        format: 'date',
      }),
      from: instant('When the day begins, or the interval if that is later.'),
      to: instant('When the day ends, or the interval if that is earlier.'),
      pending: inState('that are not sent yet or wait for a receipt'),
      sent: inState('that were sent'),
      failed: inState('that could not be sent'),
      cancelled: inState('that were no longer needed'),
    }),
    { description: 'One entry for each day of the interval, oldest first.' },
  ),
  complete: flag({ doc: 'Whether all pages of the interval were counted.' }),
  counted_from: optional(
    instant('The time from which all pages were counted. Absent if complete is true.'),
  ),
});
