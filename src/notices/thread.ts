import type { Notice } from './notice.ts';

/** What the notices of one subject share. */
export function threadOf(notice: Notice): string {
  switch (notice.about) {
    case 'incident':
      return `inc-${notice.incident.id}`;
    case 'shift':
      return `oncall-${notice.story.schedule.id}`;
    case 'usage':
      return `usage-${notice.organization.id}`;
    case 'webhook':
      return `webhook-${notice.webhook.id}`;
    case 'connection':
      return `connection-${notice.connection.id}`;
    case 'channel':
      return `channel-${notice.failing.channel}-${notice.organization.id}`;
    case 'undecided':
      return `${notice.undecided.of}-${notice.undecided.id}`;
    case 'lost_contact':
      return `contact-${notice.lost.id}`;
    case 'contact':
      return `contact-${notice.proof.contact_id}`;
    case 'account':
      return `account-${notice.account.user_id}`;
  }
}
