// Schemas of the answers about incidents; a field without a value is absent.
import Type from 'typebox';
import { attemptOutcomes, noticeStates } from '../../engine/ports/sending.ts';
import { refusalBlames } from '../../engine/sending/channel.ts';
import { receiptStates } from '../../engine/sending/receipt.ts';
import { alertStates, noticeKinds, statuses } from '../../incidents/incident.ts';
import { queryLimits } from '../../limits/queries.ts';
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
import { verdicts } from '../../resources/verdicts.ts';
import { logSchema, pageSchema } from '../answers.ts';

const actorFields = {
  type: word('The kind of actor: user, key, alert, timer, rule or playbook.'),
  id: optional(word('The id of the person, key, rule or playbook.')),
  name: word('The name of the actor, as it was then.'),
  via: word('How it was done, such as api, dashboard, email or chat.'),
  from: optional(
    word('For an SMS reply: the last digits of the sender’s number, which can be forged.'),
  ),
};

const actor = objectOf(actorFields, 'The person or program that did it.');

/** Of an incident that is over. */
export const verdict = (doc: string) =>
  choice(verdicts, {
    doc: `${doc} real: there was a problem. false_alarm: there was none. nothing_to_do: there was one, but nobody had to act. unclear: nobody knows.`,
  });

export const incidentShape = objectOf(
  {
    id: id('The id of the incident. It never changes.'),
    number: Type.Integer({
      description: 'The number of the incident in its organization, as in INC-42.',
      minimum: 1,
    }),
    title: word('The title of the incident, at most 200 characters.'),
    status: choice(statuses, {
      doc: 'triggered: people are being paged. acknowledged: someone is working on it. resolved: it is over.',
    }),
    priority: optional(priority()),
    severity: optional(severity()),
    team_id: id('The team that owns the incident.'),
    service_id: id('The service that the incident is about.'),
    integration_id: optional(
      id(
        'The integration whose settings apply. A rule may have moved the incident from the integration that received the alert. Absent if a person opened the incident.',
      ),
    ),
    source_integration_id: optional(
      id('The integration that received the first alert. Absent if a person opened the incident.'),
    ),
    escalation_policy_id: id('The escalation policy that decides who is paged.'),
    dedup_key: word(
      'The deduplication key of its first alert. While the incident is open, the integration’s alerts with this key belong to it. If a person opened the incident, this is its id.',
    ),
    details: optional(
      anything(
        'Details from the monitoring tool, or from the person who opened the incident, as text or as a JSON object.',
      ),
    ),
    links: Type.Array(link, {
      description: 'Links sent with the alert, such as dashboards and runbooks.',
    }),
    responder_ids: Type.Array(id('The id of a person.'), {
      description: 'The people assigned to the incident, in order.',
    }),
    alerts_firing: count('The number of its alerts that are active.'),
    alerts_total: count(
      'The number of its alerts. More than one if alerts were grouped or incidents merged.',
    ),
    suppressed_count: count(
      'The number of further alerts with its key received while it was open.',
    ),
    repeat_count: count('The number of earlier incidents with the same key.'),
    created_at: instant('When the incident was opened.'),
    updated_at: instant('When a field of the incident last changed.'),
    acknowledged_at: optional(
      instant('When it was acknowledged. Absent while it is not acknowledged.'),
    ),
    resolved_at: optional(instant('When it was resolved. Absent while it is open.')),
    resolved_by_timer: flag({
      doc: 'Whether a timer resolved it, rather than a person or an alert.',
    }),
    muted_until: optional(
      instant(
        'When the mute ends. A time in the year 9999 means that it has no end. Absent while the incident is not muted.',
      ),
    ),
    merged_into_id: optional(id('The incident into which this one was merged.')),
    verdict: optional(verdict('What the incident turned out to be. Absent if nobody has set it.')),
    verdict_by: optional(
      objectOf(
        actorFields,
        'The person or API key that set the verdict. Absent without a verdict.',
      ),
    ),
    verdict_at: optional(instant('When the verdict was set. Absent without a verdict.')),
    test: flag({
      doc: 'Whether a test event opened it. Tests page people like other incidents, but reports leave them out. If an alert that is not a test has its key, or an incident that is not a test is merged into it, this becomes false.',
    }),
    url: word('The address of the incident’s page in the dashboard.'),
  },
  'A problem that people are paged for.',
);

const alertShape = objectOf({
  id: id('The id of the alert: the same for the same integration and deduplication key.'),
  cursor: Type.String({ description: 'The cursor after this alert.' }),
  integration_id: id('The integration that received it.'),
  dedup_key: word('Its deduplication key.'),
  title: word('What is wrong, at most 200 characters.'),
  state: choice(alertStates, {
    doc: 'firing: its problem continues. resolved: it has ended, or its incident was resolved.',
  }),
  priority: optional(priority()),
  severity: optional(severity()),
  details: optional(anything('What the monitoring tool sent, as text or as a JSON object.')),
  links: Type.Array(link, { description: 'Links sent with the alert.' }),
  first_at: instant('When it was first reported.'),
  last_at: instant('When it was last reported as active.'),
  times: count('How often it was reported as active.'),
  resolved_at: optional(instant('When it ended. Absent while it is active.')),
  expires_at: optional(
    instant('When it ends unless it is reported again. Absent if it does not end by itself.'),
  ),
});

export const alertsShape = pageSchema(alertShape);

export const handlerShape = objectOf(
  { ...actorFields, at: instant('When it was acknowledged or resolved.') },
  'Who has acknowledged the incident or, once it is resolved, who resolved it.',
);

export const reachedShape = objectOf({
  user_id: optional(id('The person. Absent for chats.')),
  name: word('The name of the person or chat.'),
});

const entryShape = objectOf({
  id: id('The id of the entry. It never changes.'),
  sequence: Type.Integer({
    description:
      'The position of the entry in the timeline. It grows with each entry. Repeats share the position of the entry before them.',
  }),
  cursor: Type.String({
    description:
      'The cursor after this entry. A list with this cursor begins at the next entry. Repeats keep their cursor while their count grows.',
  }),
  at: instant('When it happened.'),
  type: word('The type of the entry, such as opened, paged or resolved.'),
  text: word('What happened, as a sentence.'),
  actor: optional(actor),
  details: optional(anything('The values in the sentence, for programs. They depend on the type.')),
});

export const timelineShape = objectOf({
  ...pageSchema(entryShape).properties,
  removed: optional(
    objectOf(
      {
        entries: count('How many entries were removed, starting with the first.'),
        at: instant('When they were removed.'),
      },
      'The entries that the organization’s retention removed. Absent if there are none.',
    ),
  ),
});

const receipt = objectOf(
  {
    state: choice(receiptStates, {
      doc: 'sent: on its way. answered: the call was answered. undelivered: it did not arrive. unanswered: the phone rang and nobody pressed a key. read_out: a person or voicemail answered a call without keys. delivered: it is on the device. acted: someone pressed a key that did something.',
    }),
    reason: orNull(
      word('Such as busy.'),
      'Why it did not arrive. Null if the vendor gave no reason.',
    ),
    at: instant('When the receipt arrived.'),
  },
  'The vendor’s last report about the attempt.',
);

const attempt = objectOf({
  number: Type.Integer({ description: 'The number of the attempt, counted from 1.' }),
  claimed_at: instant('When the attempt began.'),
  finished_at: orNull(
    instant('When the attempt ended.'),
    'When the attempt ended, not including the wait for its receipt. Null while it is running.',
  ),
  outcome: orNull(
    choice(attemptOutcomes, { doc: 'The result of the attempt.' }),
    'delivered: the receiving system accepted it, or a receipt confirmed that it arrived. handed_over: the vendor accepted it, and the receipt is awaited. unconfirmed: vendors accepted it, but nothing confirms that it arrived. retry: it was rejected or got no response, and will be retried. failed: it failed permanently. Null while it is in progress.',
  ),
  blame: orNull(
    choice(refusalBlames, { doc: 'Where something must change before it can be delivered.' }),
    'Where something must change after a rejection: the contact, the connection or channel, or the message. Null if it was not rejected, or if a retry may succeed.',
  ),
  reason: orNull(word('Why it failed.'), 'Why the attempt failed. Null if it did not fail.'),
  answer: orNull(
    anything('The response of the receiving system.'),
    'The response of the receiving system. Null if there was none.',
  ),
  contact: orNull(
    word('Such as …5678.'),
    'The contact that it was sent to, masked. In an incident’s notices it is null unless the page moved from one contact to another. For a push it is always null.',
  ),
  connection: orNull(
    objectOf({
      id: id('The id of the channel connection, which may be archived.'),
      name: word('The current name of the channel connection.'),
    }),
    'The channel connection that accepted it. Null if none has, and for channels without connections.',
  ),
  receipt: orNull(receipt, 'The vendor’s last report. Null if there is none.'),
});

const triedContact = objectOf({
  contact: word('The contact, masked, such as …5678.'),
  reason: word('Why the page moved to the next contact.'),
  unconfirmed: flag({
    doc: 'Whether a vendor accepted the page for this contact, so that it may still have arrived.',
  }),
});

export const noticeFields = {
  key: word('The key of the notice. A notice with the same key is sent only once.'),
  kind: word(`The kind of notice: ${noticeKinds.join(', ')} or webhook.`),
  channel: word('The channel used, such as email, slack or webhook.'),
  recipient: optional(word('The name of the recipient.')),
  route: optional(
    word('The schedule that put the person on call. Absent if the step names the person.'),
  ),
  user_id: optional(id('The person who is notified. Absent for chats and webhooks.')),
  state: choice(noticeStates, {
    doc: 'pending: not sent yet, or waiting for its receipt. sent: the receiving system accepted it, or its receipt arrived. failed: it could not be sent. cancelled: it was no longer needed.',
  }),
  awaits_receipt: flag({
    doc: 'Whether a vendor accepted it and its receipt is awaited. Present only while it is pending.',
  }),
  reason: optional(
    word('Why it has this state, such as not sent yet or sent without confirmation.'),
  ),
  created_at: instant('When the notice was created.'),
  finished_at: optional(
    instant('When it was sent, failed or was cancelled. Absent while it is pending.'),
  ),
  tried: optional(
    Type.Array(triedContact, {
      description:
        'For a page that moved to another contact of the person: the earlier contacts, oldest first.',
    }),
  ),
  attempts: Type.Array(attempt, { description: 'The attempts to send it, oldest first.' }),
};

export const noticesShape = objectOf({
  data: Type.Array(objectOf(noticeFields), {
    description: 'The notices about the incident, oldest first.',
  }),
  removed_at: optional(
    instant(
      'When the organization’s retention removed notices of the incident. Absent if none were removed.',
    ),
  ),
});

const alert = objectOf({
  action: word('The action of the alert: trigger, acknowledge or resolve.'),
  dedup_key: word('The deduplication key of the alert.'),
  outcome: word(
    'The outcome: opened, grouped, suppressed, resolved, acknowledged, ignored or dropped.',
  ),
  incident_id: orNull(
    id('The incident that the alert belongs to.'),
    'The incident that the alert belongs to. Null if there is none.',
  ),
  incident_number: optional(
    count(
      `The number of that incident. Absent if the caller cannot see it, and after the first ${queryLimits.eventAlertsNamed} alerts of an event.`,
    ),
  ),
  incident_title: optional(word('The title of that incident. Present with its number.')),
  reason: orNull(
    word('Why the alert had no effect.'),
    'Why the alert had no effect. Null if it had one.',
  ),
});

const storage = objectOf(
  {
    stored_bytes: count(
      'The size of the events that are stored in full, with the details of their incidents.',
    ),
    left_bytes: optional(
      count(
        'The remaining bytes of the budget. An event that does not fit is truncated after it is processed. Absent if there is no budget.',
      ),
    ),
    cut_events: count('The number of truncated events.'),
  },
  'The integration’s storage on the current day (UTC).',
);

const eventLog = logSchema(
  objectOf({
    id: id('The id of the event. It never changes.'),
    received_at: instant('When the event was received.'),
    source: choice(['http', 'mail'], { doc: 'Whether the event arrived over HTTP or by e-mail.' }),
    path: word(
      'The path below the hook address, with the token replaced by ***. Empty for e-mail.',
    ),
    method: optional(word('The HTTP method. Absent for e-mail.')),
    query: optional(
      word(
        'The query of the address, truncated to 4,096 characters with … at the end. For viewers and responders, values of parameters such as `token`, `api_key` and `signature` are masked.',
      ),
    ),
    headers: optional(
      mapOf(word('The value of the header.'), {
        doc: 'The HTTP headers that integration types read, by name.',
        max: 50,
      }),
    ),
    content_type: word('The content type of the body, as it was sent.'),
    body: word('The body as it was sent, encoded as body_encoding states.'),
    body_encoding: choice(['utf-8', 'base64'], {
      doc: 'utf-8: body is the text itself. base64: the body is not UTF-8 text.',
    }),
    body_cut_from: optional(
      count(
        'The size of the body before it was truncated. Absent if the whole body is stored. Once the day’s storage budget is used up, events are truncated after they are processed.',
      ),
    ),
    outcome: word(
      'The outcome of the event’s alerts. mixed: the outcomes differ. accepted: not processed yet. refused: the entry represents rejected requests.',
    ),
    reason: optional(
      word('Why the event had no effect, or what is unusual about it. Otherwise absent.'),
    ),
    alerts: optional(Type.Array(alert, { description: 'The alerts of the event, in order.' })),
    requests: Type.Integer({
      description:
        'The number of requests that this entry represents. It is more than 1 in an alert storm, and for dropped, ignored and unreadable events beyond the storage budget.',
      minimum: 1,
    }),
  }),
);

export const eventsShape = objectOf({ ...eventLog.properties, storage });

export const resultsShape = objectOf({
  results: Type.Array(
    objectOf({
      id: id('The id of the incident.'),
      result: choice(['done', 'refused', 'not_found'], {
        doc: 'done: the action was applied. refused: the state of the incident does not allow it. not_found: the incident does not exist.',
      }),
      reason: optional(word('Why it was refused. Otherwise absent.')),
    }),
    { description: 'One result for each incident, in the order of the request.' },
  ),
});
