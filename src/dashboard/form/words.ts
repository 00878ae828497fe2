// What forms call fields and values whose names in the API read badly.
import { channelNames } from '../../resources/channel-names.ts';

/** By the name in the API; other labels are read from the name. */
export const fieldNames: Readonly<Record<string, string>> = {
  url: 'URL',
  href: 'Address',
  via: 'Channel',
  user_id: 'Person',
  users: 'People',
  team_id: 'Team',
  oncall_schedule_id: 'On-call schedule',
  escalation_policy_id: 'Escalation policy',
  run_automatically: 'Runs when an incident is',
  ack_timeout_minutes: 'Acknowledgement timeout',
  auto_resolve: 'Resolve automatically',
  resolve_when_quiet: 'Resolve when no alert arrives',
  disable_incident_suppression: 'Open an incident for every alert',
  delay_minutes: 'Delay before the first step',
  condition_groups: 'Conditions',
  timezone: 'Time zone',
  channel_id: 'Chat channel',
  webhook_url: 'Webhook URL',
  slug: 'Type',
  archive_replacement_policy_id: 'Replacement when archived',
  grouping: 'Group alerts',
  by: 'Alerts have in common',
  across: 'Group alerts of the same',
  window_minutes: 'Time limit',
  ...channelNames,
  outbound_webhook_ids: 'Outbound webhooks',
};

/** What one member of a list is called. */
export const memberNames: Readonly<Record<string, string>> = {
  condition_groups: 'Condition group',
  headers: 'Header',
};

export const valueNames: Readonly<Record<string, string>> = {
  ...channelNames,
  en: 'English',
  de: 'German',
  fr: 'French',
  es: 'Spanish',
  json: 'JSON',
  'url-encoded': 'URL-encoded',
};

/** Of the shapes that a condition or an action can have. */
export const variantNames: Readonly<Record<string, string>> = {
  allIncidents: 'Any alert',
  incidentMessage: 'Title',
  incidentDetails: 'Alert detail',
  incidentPriority: 'Priority',
  incidentSeverity: 'Severity',
  incidentRepeated: 'Earlier incidents',
  incidentRepeatedWithin: 'Earlier incidents within minutes',
  incidentSuppressed: 'Repeated alerts',
  incidentSuppressedWithin: 'Repeated alerts within minutes',
  incidentTiming: 'Time of day',
  incidentDays: 'Day of the week',
  priority: 'Set priority',
  severity: 'Set severity',
  title: 'Change title',
  escalationPolicy: 'Use another escalation policy',
  integration: 'Move to another integration',
  routeToTeam: 'Move to another team',
  outboundWebhook: 'Call outbound webhook',
  playbook: 'Run playbook',
  resolveTimer: 'Resolve after a time',
  ignoreIncident: 'Ignore alert',
  groupIncident: 'Group alerts',
  note: 'Add note',
};

export const words = {
  optional: (label: string) => `${label} (optional)`,
  yes: 'Yes',
  no: 'No',
  none: 'None',
  nobody: 'Nobody',
  choose: 'Choose…',
  hidden: '••••••',
  replace: 'Replace',
  replaceOne: (label: string) => `Replace ${label}`,
  keep: 'Keep current value',
  add: (what: string) => `Add ${what.toLowerCase()}`,
  remove: (what: string) => `Remove ${what.toLowerCase()}`,
  drag: 'Drag to move',
  up: (what: string) => `Move ${what.toLowerCase()} up`,
  down: (what: string) => `Move ${what.toLowerCase()} down`,
  member: (what: string, number: number) => `${what} ${number}`,
  removeOne: (name: string) => `Remove ${name}`,
  rowName: 'Name',
  rowValue: 'Value',
  onByDefault: 'On by default.',
  apiOnly: 'Terraform cannot manage this setting. The next apply removes it.',
  apiOnlyStays: 'Terraform does not manage this setting.',
  terraformOthers: (others: string) => `In Terraform: ${others}.`,
  gone: 'Archived or not visible to you',
  repeated: 'is listed twice',
  masked: 'is hidden: enter it again',
} as const;
