// Schemas of the answers about incidents; a field without a value is absent.
import Type from 'typebox';
import { attemptOutcomes, noticeStates } from '../../engine/ledger.ts';
import { refusalBlames } from '../../engine/sending/channel.ts';
import { receiptStates } from '../../engine/sending/receipt.ts';
import { noticeKinds, statuses } from '../../incidents/incident.ts';
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
    id: id('The id of the incident; it never changes.'),
    number: Type.Integer({
      description: 'The number of the incident in its organisation, as in INC-42.',
      minimum: 1,
    }),
    title: word('What is wrong, in at most 200 characters.'),
    status: choice(statuses, {
      doc: 'triggered: people are paged; acknowledged: somebody works on it; resolved: it is over.',
    }),
    priority: optional(priority()),
    severity: optional(severity()),
    team_id: id('The team that owns the incident.'),
    service_id: id('The service that the incident is about.'),
    integration_id: optional(
      id(
        'The integration whose settings apply; a rule may have chosen another than the one the alert came by. Absent if a person opened it.',
      ),
    ),
    source_integration_id: optional(
      id('The integration by which its first alert came; absent if a person opened it.'),
    ),
    escalation_policy_id: id('The escalation policy that decides who is paged.'),
    dedup_key: word(
      'The deduplication key: alerts of the integration with this key belong to this incident while it is open. Of one that a person opened, its id.',
    ),
    details: optional(
      anything(
        'What the monitoring tool sent about the alert, or the person wrote, as text or as a JSON object.',
      ),
    ),
    links: Type.Array(link, {
      description: 'Links that came with the alert, such as dashboards and runbooks.',
    }),
    responder_ids: Type.Array(id('The id of a person.'), {
      description: 'The people to whom the incident was assigned by name, in order.',
    }),
    suppressed_count: count('How many further alerts with its key came while it was open.'),
    repeat_count: count('How many earlier incidents had the same key.'),
    created_at: instant('When the incident was opened.'),
    updated_at: instant('When a field of the incident last changed.'),
    acknowledged_at: optional(instant('When it was acknowledged; absent while it is not.')),
    resolved_at: optional(instant('When it was resolved; absent while it is open.')),
    resolved_by_timer: flag({ doc: 'Whether a timer resolved it, and not a person or an alert.' }),
    muted_until: optional(
      instant(
        'Until when nobody is paged; a time in the year 9999 means without an end. Absent while it is not muted.',
      ),
    ),
    merged_into_id: optional(id('The incident that this one was merged into.')),
    url: word('The address of the page that shows the incident.'),
  },
  'A problem that people are paged for, from its opening to its end.',
);

const actor = objectOf(
  {
    type: word('The kind of actor: user, key, alert, timer, rule or playbook.'),
    id: optional(word('The id of the person, key, rule or playbook.')),
    name: word('The name of the actor, as it was then.'),
    via: word('The way it was done, such as api, dashboard, email or chat.'),
    from: optional(
      word('Of an answer by SMS: the end of the number that it came from, which can be forged.'),
    ),
  },
  'Who or what did it.',
);

const entryShape = objectOf({
  id: id('The id of the entry; it never changes.'),
  sequence: Type.Integer({
    description:
      'The order of the entry in the timeline: it grows with each entry, and repeats have that of the entry before them.',
  }),
  cursor: Type.String({
    description:
      'The cursor after this entry: with it, the list begins at the next one. Repeats keep theirs while more of them are counted.',
  }),
  at: instant('When it happened.'),
  type: word('The type of the entry, such as opened, paged or resolved.'),
  text: word('What happened, as a sentence for people.'),
  actor: optional(actor),
  details: optional(
    anything('The values of the sentence, for programs; which ones depends on the type.'),
  ),
});

export const timelineShape = objectOf({
  ...pageSchema(entryShape).properties,
  removed: optional(
    objectOf(
      {
        entries: count('How many entries were removed, counted from the first one.'),
        at: instant('When they were removed.'),
      },
      'Which entries the retention of the organisation removed; absent when none.',
    ),
  ),
});

const receipt = objectOf(
  {
    state: choice(receiptStates, {
      doc: 'sent: on its way; answered: the call was taken; undelivered: it did not arrive; unanswered: it rang, and nobody pressed a key; read_out: a call without keys was taken, by a person or a mailbox; delivered: it is on the device; acted: a key was pressed that did something.',
    }),
    reason: orNull(word('Such as busy.'), 'Why it did not arrive; null when nothing was said.'),
    at: instant('When the receipt came.'),
  },
  'What the vendor last reported of the attempt.',
);

const attempt = objectOf({
  number: Type.Integer({ description: 'The number of the attempt, counted from 1.' }),
  claimed_at: instant('When the attempt began.'),
  finished_at: orNull(
    instant('When the attempt ended.'),
    'When the attempt ended, not counting the wait for its receipt; null while it runs.',
  ),
  outcome: orNull(
    choice(attemptOutcomes, { doc: 'What became of the attempt.' }),
    'delivered: the receiving system accepted it, or a receipt says that it arrived; handed_over: a vendor took it, and its receipt decides; unconfirmed: vendors took it, and nothing says whether it arrived; retry: it was refused or not answered, and another attempt follows; failed: it failed for good; null while it is under way.',
  ),
  blame: orNull(
    choice(refusalBlames, { doc: 'Who has to change something before it can be taken.' }),
    'Who has to change something before what was refused can be taken: the contact, the connection or channel, or the message; null when it was not refused, or when it may succeed later as it is.',
  ),
  reason: orNull(word('Why it failed.'), 'Why the attempt failed; null when it did not.'),
  answer: orNull(
    anything('What the receiving system answered.'),
    'What the receiving system answered; null when nothing.',
  ),
  contact: orNull(
    word('Such as …5678.'),
    'The contact of the person that it went to, masked. Among the notices of an incident it is null unless the page has moved on from one to another; of a push it is always null.',
  ),
  connection: orNull(
    objectOf({
      id: id('The id of the channel connection; it may be archived.'),
      name: word('The name of the channel connection, as it is now.'),
    }),
    'The channel connection that took it; null when none has, and for channels without connections.',
  ),
  receipt: orNull(receipt, 'What the vendor last reported of it; null when nothing.'),
});

const triedContact = objectOf({
  contact: word('The contact, masked, such as …5678.'),
  reason: word('Why the page moved on from it.'),
  unconfirmed: flag({
    doc: 'Whether a vendor took the page there, so that it may have arrived all the same.',
  }),
});

export const noticeFields = {
  key: word('The key of the notice; a notice of the same key is sent only once.'),
  kind: word(`Why it is sent: ${noticeKinds.join(', ')} or webhook.`),
  channel: word('The channel that it is sent by, such as email, slack or webhook.'),
  recipient: optional(word('The name of the recipient.')),
  route: optional(
    word(
      'The schedule that the person is on call of, such as on call of Payments; absent if the step names them.',
    ),
  ),
  user_id: optional(id('The person whom it is for; absent for chats and webhooks.')),
  state: choice(noticeStates, {
    doc: 'pending: it is not sent yet, or its receipt is awaited; sent: the receiving system accepted it, or its receipt came; failed: it could not be sent; cancelled: it was no longer needed.',
  }),
  awaits_receipt: flag({
    doc: 'Whether a vendor took it and its receipt is awaited; only while it is pending.',
  }),
  reason: optional(
    word('Why it is in that state: not sent, not yet, or sent without a confirmation.'),
  ),
  created_at: instant('When it was decided that the notice is sent.'),
  finished_at: optional(
    instant('When it was sent, failed or was cancelled; absent while it is pending.'),
  ),
  tried: optional(
    Type.Array(triedContact, {
      description:
        'Of a page that has moved on to another contact of the person, those before it, oldest first.',
    }),
  ),
  attempts: Type.Array(attempt, { description: 'The attempts to send it, oldest first.' }),
};

export const noticesShape = objectOf({
  data: Type.Array(objectOf(noticeFields), {
    description: 'The notices about the incident, oldest first.',
  }),
  removed_at: optional(
    instant('When the retention of the organisation removed notices of it; absent when none.'),
  ),
});

const alert = objectOf({
  action: word('The action of the alert: trigger, acknowledge or resolve.'),
  dedup_key: word('The deduplication key of the alert.'),
  outcome: word('What it did: opened, suppressed, resolved, acknowledged, ignored or dropped.'),
  incident_id: orNull(
    id('The incident that the alert belongs to.'),
    'The incident that the alert belongs to; null when it belongs to none.',
  ),
  reason: orNull(
    word('Why the alert did nothing.'),
    'Why the alert did nothing; null when it did something.',
  ),
});

const storage = objectOf(
  {
    stored_bytes: count(
      'Bytes of the events that are stored whole, with the details of their incidents.',
    ),
    left_bytes: optional(
      count(
        'How many more bytes fit into the budget. An event that does not fit is cut after it was processed. Absent if there is no budget.',
      ),
    ),
    cut_events: count('How many of its events were cut.'),
  },
  'What the integration has stored on the current day (UTC).',
);

const eventLog = logSchema(
  objectOf({
    id: id('The id of the event; it never changes.'),
    received_at: instant('When the event was received.'),
    source: choice(['http', 'mail'], { doc: 'Whether the event came over HTTP or by mail.' }),
    path: word('The path below the hook address, with the token replaced by ***; empty for mail.'),
    method: optional(word('The HTTP method; absent for mail.')),
    query: optional(
      word(
        'The query of the address; cut at 4,096 characters, where it ends in …. Viewers and responders see a mask in place of values of parameters such as `token`, `api_key` and `signature`.',
      ),
    ),
    headers: optional(
      mapOf(word('The value of the header.'), {
        doc: 'The HTTP headers that integration types read, by name.',
        max: 50,
      }),
    ),
    content_type: word('The content type of the body, as it was sent.'),
    body: word('The body, as it was sent, in the encoding of body_encoding.'),
    body_encoding: choice(['utf-8', 'base64'], {
      doc: 'utf-8: body is the text itself; base64: the body is no UTF-8 text.',
    }),
    body_cut_from: optional(
      count(
        'How many bytes the body had before it was cut; absent if the whole body is stored. Events are cut after they were processed, when the storage budget of the day is spent.',
      ),
    ),
    outcome: word(
      'What the event did: that of its alerts; mixed where they differ, accepted while it is not decided, refused where it stands for requests that were refused.',
    ),
    reason: optional(
      word('Why the event did nothing, or what is odd about it; absent where neither is so.'),
    ),
    alerts: optional(
      Type.Array(alert, { description: 'The alerts of the event, in their order.' }),
    ),
    requests: Type.Integer({
      description:
        'How many requests this row stands for. More than 1 in an alert storm, and for dropped, ignored and unreadable events beyond the storage budget.',
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
        doc: 'done; refused: the state of the incident does not allow it; not_found: there is no such incident.',
      }),
      reason: optional(word('Why it was refused; absent otherwise.')),
    }),
    { description: 'One result for each incident, in the order of the request.' },
  ),
});
