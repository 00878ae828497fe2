// The refusals that no schema of one field could have said: what fields decide together, and what
// the database decides. Every other refusal of a request that the document allows is a fault of it.

/** Refusals that are about what is stored or who asks, whatever the request holds. */
export const stateCodes: Readonly<Record<string, string>> = {
  not_found: 'the path names nothing that is there',
  session_only: 'some changes of people are for sessions',
  forbidden: 'it depends on whose record it is',
  team_required: 'there is no default team any more',
  archived: 'the record is archived',
  team_archived: 'the team is archived',
  stale_version: 'If-Match names another version',
  replacement_not_active: 'the replacement is not active',
  idempotency_mismatch: 'the key was used before',
  answer_lost: 'the key was used before',
  invalid_state: 'the incident does not allow it now',
  conflict: 'it clashes with another record',
  immutable: 'the stored record has another value',
  rate_limited: 'codes and tests are sent so often only',
  too_much_work: 'it depends on what is stored',
};

export type Allowed = {
  /** The operations that it is for; absent: all. */
  readonly of?: RegExp;
  readonly path: RegExp;
  readonly message: RegExp;
  readonly why: string;
};

export const allowed: readonly Allowed[] = [
  // What fields, or the members of a list, decide together.
  {
    path: /targets\[\d+\]/,
    message: /^via \S+ requires exactly one of|^is not allowed with via/,
    why: 'via decides which of the other fields a target takes',
  },
  {
    path: /escalate_after_minutes$/,
    message: /on every step except the last$/,
    why: 'it depends on the place of the step',
  },
  { path: /handoff_day$/, message: /^is allowed only with unit weeks/, why: 'unit decides it' },
  { path: /since$/, message: /^must be a \w+day, the day/, why: 'handoff_day decides it' },
  { path: /since$/, message: /is not a date in the calendar$/, why: 'months differ in length' },
  { path: /since$/, message: /^must not be in the future/, why: 'today decides it' },
  {
    path: /since$/,
    message: /^is not allowed while starts_at/,
    why: 'two fields exclude each other',
  },
  { path: /counts$/, message: /^must be all/, why: 'unit decides it' },
  { path: /users$/, message: /at least one person$/, why: 'any member may be null, not all' },
  { path: /(ends_at|end|to)$/, message: /^must be (after|at most)/, why: 'the other end decides' },
  { path: /after$/, message: /^must be at most \d+ \w+$/, why: 'unit decides the largest number' },
  { path: /condition_groups$/, message: /^requires run_automatically/, why: 'one needs the other' },
  { path: /service_ids$/, message: /^requires integration_ids/, why: 'one needs the other' },
  { path: /replaces_user_id$/, message: /different person than user_id/, why: 'two fields differ' },
  {
    path: /replaces_user_id$/,
    message: /^is required if user_id is null/,
    why: 'one needs the other',
  },
  { path: /headers\[/, message: /^is named twice/, why: 'names differ in more than their case' },
  { path: /headers\[/, message: /^is masked/, why: 'answers have the mask, which no request may' },
  {
    path: /./,
    message: /^cannot be combined with |^or \w+ (is required|must be set)$/,
    why: 'one or the other',
  },
  {
    of: /^GET \/(incidents|pages|pages\/counts)$/,
    path: /^(from|to)$/,
    message: /^is required with (weekday|hour|night)$/,
    why: 'one needs the other',
  },
  { path: /sort$/, message: /status to be open$/, why: 'status decides it' },
  { path: /default_team_id$/, message: /one of team_ids$/, why: 'two fields agree' },
  {
    path: /(slack|msteams|discord)\[\d+\]/,
    message: /exactly one of channel_id and webhook_url|already in the list/,
    why: 'one or the other, once',
  },
  {
    path: /schedules\[\d+\]\.oncall_schedule_id$/,
    message: /already in the list/,
    why: 'one field of all members',
  },
  {
    path: /^(settings|secrets)\b/,
    message: /^is required|^cannot be combined with/,
    why: 'vendor, and what is stored, decide',
  },
  { path: /^forms$/, message: /characters as JSON/, why: 'all forms together are bounded' },
  {
    path: /^body$/,
    message: /^cannot be combined with event_ids or last/,
    why: 'one or the other',
  },
  // What is written in a language that no pattern can say.
  {
    path: /./,
    message: /regular expression|which is none of/,
    why: 'expressions and templates',
  },
  { path: /^forms\[/, message: /./, why: 'the notation of mappings' },
  {
    path: /timezone$/,
    message: /IANA time zone/,
    why: 'format time-zone: the list of IANA changes',
  },
  // What the database, the clock or a vendor decides.
  {
    path: /./,
    message:
      /does not match any |refers to an? |is not the (counter|number) of any|must name one|^must be the id or the e-mail/,
    why: 'the record is there or not',
  },
  {
    path: /user_id$|^contact_id$/,
    message: /^is not (an? (active )?user$|one of your verified contacts)/,
    why: 'the person or the contact is there or not',
  },
  {
    path: /^user_id$/,
    message: /required for requests with an API key/,
    why: 'it depends on who asks',
  },
  {
    of: /^POST \/on-calls\/\{id\}\/cover-requests$/,
    path: /^user_id$/,
    message: /^is not on call at any moment/,
    why: 'the schedule decides it',
  },
  {
    path: /^slug$/,
    message: /^is not an integration type /,
    why: 'GET /integration-types lists them',
  },
  { path: /^grouping\.by\[\d+\]$/, message: / send no groups /, why: 'the type decides' },
  {
    path: /^grouping\.by$/,
    message: /^must be empty if disable_incident_suppression is true/,
    why: 'what fields decide together',
  },
  {
    path: /^grouping\.integration_id$/,
    message: /^is not an integration of the team$/,
    why: 'the record is there or not',
  },
  {
    of: /^POST \/alert-rules\/replay/,
    path: /^rules$/,
    message: /^is required if grouping is absent$/,
    why: 'what fields decide together',
  },
  {
    path: /^alert_ids\[\d+\]$/,
    message: /^is not an alert of this incident$/,
    why: 'the incident decides',
  },
  {
    path: /^cursor$/,
    message: /is not a valid cursor for this list/,
    why: 'cursors are opaque: those of the list',
  },
  { path: /(expires_at|end|until)$/, message: /in the future/, why: 'the clock decides' },
  { path: /code$/, message: /is wrong|has expired/, why: 'the right code decides' },
  { path: /password$/, message: /is wrong/, why: 'the right password decides' },
  {
    path: /^credential$/,
    message: /was rejected or has expired/,
    why: 'the browser and the time decide',
  },
  {
    path: /^escalation_policy_id$/,
    message: /^is required because the (service|integrations)/,
    why: 'the service decides',
  },
  { path: /^channel$/, message: /not served by any channel connection/, why: 'connections decide' },
  { path: /^vendor$/, message: /^must stay /, why: 'the stored connection decides' },
  {
    of: /^(PATCH|PUT) \/channel-connections/,
    path: /^(settings|secrets)\./,
    message: /./,
    why: 'the vendor of the stored connection decides',
  },
  { path: /^secrets\./, message: /is of another account/, why: 'the stored connection decides' },
  {
    of: /^PATCH /,
    path: /\./,
    message: /^is required$/,
    why: 'what is stored of the object decides',
  },
  {
    path: /team_id$/,
    message: /^cannot be changed: |^must be the team whose rules are tried$/,
    why: 'the record and the request are of one team',
  },
  {
    path: /webhook_ids\[\d+\]$/,
    message: /already in the list/,
    why: 'an id and a counter may name one record',
  },
  {
    path: /playbook_id$/,
    message: /would make this playbook run itself/,
    why: 'stored playbooks decide',
  },
  {
    path: /archive_replacement_policy_id$/,
    message: /another policy/,
    why: 'the policy of the path decides',
  },
  {
    of: /^POST \/preview$/,
    path: /^(planned\[\d+\]\.)?(record|unknown)\b/,
    message: /./,
    why: 'kind decides the shape of record',
  },
  {
    of: /contacts$/,
    path: /^address$/,
    message: /./,
    why: 'connections name numbers and servers; web: is followed by JSON as text',
  },
  {
    path: /headers\[/,
    message: /^is masked/,
    why: 'what an answer shows in place of a value has a refusal of its own',
  },
  {
    of: /simulate$/,
    path: /^integration_id$/,
    message: /^is required$/,
    why: 'an event needs it, an incident takes its place',
  },
];
