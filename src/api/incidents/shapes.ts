// What the routes about incidents answer; what is not known is left out.
import Type from 'typebox';
import { priority, severity } from '../../resources/condition.ts';
import { count, instant, link, orNull, word } from '../../resources/declaration/answer.ts';
import {
  anything,
  choice,
  flag,
  id,
  mapOf,
  objectOf,
  optional,
} from '../../resources/declaration/field.ts';
import { logSchema, pageSchema } from '../answers.ts';

export const incidentShape = objectOf(
  {
    id: id('For ever.'),
    number: Type.Integer({ description: 'As in INC-42.', minimum: 1 }),
    title: word('What is wrong, in 200 characters.'),
    status: choice(['triggered', 'acknowledged', 'resolved'], { doc: 'Its state.' }),
    priority: optional(priority()),
    severity: optional(severity()),
    team_id: id('Whose it is.'),
    service_id: id('What it is about.'),
    integration_id: id('Whose settings it has.'),
    source_integration_id: id('Where its alert arrived.'),
    escalation_policy_id: id('By which it pages.'),
    dedup_key: word('What tells the alerts of one integration apart.'),
    details: optional(anything('What the monitoring tool said, as text or as JSON.')),
    links: Type.Array(link, { description: 'Where to look.' }),
    responder_ids: Type.Array(id('A person.'), { description: 'Those who were asked in person.' }),
    suppressed_count: count('How many more alerts came while it was open.'),
    repeat_count: count('How many incidents of its key there were before.'),
    created_at: instant('When it was opened.'),
    updated_at: instant('When anything of it last changed.'),
    acknowledged_at: optional(instant('When somebody took care.')),
    resolved_at: optional(instant('When it was over.')),
    resolved_by_timer: flag({ doc: 'Whether no person and no alert resolved it.' }),
    muted_until: optional(instant('Nobody is paged before; in the year 9999: for good.')),
    merged_into_id: optional(id('The incident that goes on in its place.')),
    url: word('Its page.'),
  },
  'A problem that people are paged for, from its opening to its end.',
);

export const incidentsShape = pageSchema(incidentShape);

const actor = objectOf({
  type: word('user, key, alert, timer, rule or playbook.'),
  id: optional(word('Of the person, key, rule or playbook.')),
  name: word('Who or what it is.'),
  via: word('From where it was done.'),
});

const entryShape = objectOf({
  id: id('For ever.'),
  place: Type.Integer({
    description:
      'Grows with each entry, whichever server writes it; of repeats, that of the entry before them.',
  }),
  at: instant('When it happened.'),
  type: word('What happened, as a word.'),
  says: word('What happened, as a sentence.'),
  actor: optional(actor),
  details: optional(anything('What the sentence was made of.')),
});

export const timelineShape = objectOf({
  ...pageSchema(entryShape).properties,
  removed: optional(
    objectOf(
      {
        entries: count('How many, from the first on.'),
        at: instant('When.'),
      },
      'Entries that had been kept long enough and are removed; absent if none is.',
    ),
  ),
});

const attempt = objectOf({
  number: Type.Integer({ description: 'From 1.' }),
  claimed_at: instant('When it began.'),
  finished_at: orNull(instant('The end.'), 'When it ended; null while it runs.'),
  outcome: orNull(word('The outcome.'), 'delivered, retry or failed; null while it runs.'),
  reason: orNull(word('The reason.'), 'Why it failed.'),
  answer: orNull(anything('The answer.'), 'What the other side said.'),
});

export const noticesShape = objectOf({
  data: Type.Array(
    objectOf({
      key: word('For ever.'),
      kind: word('page, nobody_paged, all_clear, assigned, responder_added, storm or webhook.'),
      channel: word('How.'),
      recipient: optional(word('Whom it is for.')),
      user_id: optional(id('The person.')),
      state: choice(['pending', 'sent', 'failed', 'cancelled'], { doc: 'What became of it.' }),
      reason: optional(word('Why it was not sent, or not yet.')),
      created_at: instant('When it was decided.'),
      finished_at: optional(instant('When nothing more was to be done.')),
      attempts: Type.Array(attempt, { description: 'In their order.' }),
    }),
  ),
  removed_at: optional(
    instant('When notices of it that had been kept long enough were removed; absent if none is.'),
  ),
});

const alert = objectOf({
  action: word('trigger, acknowledge or resolve.'),
  dedup_key: word('What tells the alerts of one integration apart.'),
  outcome: word('opened, suppressed, resolved, acknowledged, ignored or dropped.'),
  incident_id: orNull(id('The incident.'), 'Where it went.'),
  reason: orNull(word('The reason.'), 'Why it went nowhere.'),
});

export const eventsShape = logSchema(
  objectOf({
    id: id('For ever.'),
    received_at: instant('When it came.'),
    door: choice(['http', 'mail'], { doc: 'How it came.' }),
    path: word('Where to.'),
    method: optional(word('By which method, by HTTP.')),
    query: optional(word('Of its address; ends in … where it was cut at 4,096 characters.')),
    headers: optional(
      mapOf(word('Its value.'), { doc: 'Those that integration types read.', max: 50 }),
    ),
    content_type: word('As it was sent.'),
    body: word('As it was sent.'),
    body_encoding: choice(['utf-8', 'base64'], { doc: 'How the body is written here.' }),
    outcome: word('accepted: not decided yet; mixed: its alerts came to different ends.'),
    reason: optional(word('Why it did nothing.')),
    alerts: optional(Type.Array(alert, { description: 'One event may hold several.' })),
    requests: Type.Integer({ description: 'In a storm others are counted here.', minimum: 1 }),
  }),
);

export const resultsShape = objectOf({
  results: Type.Array(
    objectOf({
      id: id('The incident.'),
      result: choice(['done', 'refused', 'not_found'], { doc: 'What became of it.' }),
      reason: optional(word('Why it was refused.')),
    }),
    { description: 'In the order of the request.' },
  ),
});
