// The settings of the whole organization, which there are once.
import { choice, name, optional, wholeNumber, zone } from './declaration/field.ts';
import { organizationResource } from './declaration/resource.ts';
import { defaultLanguage, languages } from './language.ts';
import { retention } from './retention.ts';
import {
  type OrganizationNotifications,
  organizationNotifications,
  teamProblems,
} from './shift-notifications.ts';

const own = {
  name: name('The name of the organization in pages, e-mails and webhook payloads.'),
  timezone: zone(
    'The time zone of the organization, such as Europe/Berlin. The monthly limit’s months follow it.',
  ),
};
const settings = {
  language: optional(
    choice(languages, {
      doc: 'The language of calls, SMS, WhatsApp, Telegram and push notifications to people who have not chosen one.',
      default: defaultLanguage,
    }),
  ),
  monthly_alert_limit: optional(
    wholeNumber({
      doc: 'The maximum number of notifications in a calendar month: those to people, and shift notifications to chat channels. If absent, there is no limit.',
      min: 0,
      max: 1_000_000_000,
    }),
  ),
  shift_notifications: optional(organizationNotifications),
  retention: optional(retention),
};

/** As the API takes them. */
export const organizationFields = { ...own, ...settings };

/** Terraform sets those that its configuration names. */
export const organization = organizationResource({
  noun: 'organization',
  name: 'organization',
  table: 'organizations',
  route: 'organization',
  doc: 'The settings of the organization.',
  isSingleton: true,
  fields: { name: optional(own.name), timezone: optional(own.timezone), ...settings },
  // A name has no default.
  ending: {
    timezone: 'Etc/UTC',
    language: defaultLanguage,
    monthly_alert_limit: null,
    shift_notifications: null,
    retention: null,
  },
  check: organizationProblems,
});

/** Rules that span fields. */
export function organizationProblems({
  shift_notifications: notifications = {},
}: {
  readonly shift_notifications?: OrganizationNotifications;
}) {
  return teamProblems(notifications, 'shift_notifications.');
}
