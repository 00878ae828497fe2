import type { TestAlert } from '../alert.ts';
import type { Tool } from '../reading/notation.ts';
import { readWebhook, webhook } from './webhook.ts';

/** Any tool that can send mail. */
export const email = {
  slug: 'email',
  name: 'E-mail',
  description:
    'Works with any tool that can send e-mail. A subject with the state, such as RESOLVED: at the start, ends the alert.',
  problem:
    'each subject without its marks of state, and for known tools each object that the tool names, such as the disk of a host',
  guide: {
    steps: [
      'Configure the tool to send its e-mail to {email}. The subject is the title and, without its marks of state, the key.',
    ],
    notes: [
      'A subject with RESOLVED: or [OK] at the start ends the alert named by the rest. So does a subject that ends in "is UP" or "recovered", if its alert is open.',
      'Marks that gateways and mailing lists add at the start, such as Fwd: or [EXTERNAL], are ignored. Tools that cannot send e-mail can post JSON to {url}.',
      'Pager also understands the default subjects and texts of these tools, which have no type of their own: Gatus, Munin, Xymon, Cacti, Veeam, Proxmox (vzdump), NUT, apcupsd, smartd and mdadm.',
      'The e-mails of smartd, mdadm, cron and fail2ban never report an end. For a tool that sends one e-mail, set auto_resolve on the integration. For a tool that repeats its e-mail, set resolve_when_quiet to more than the time between two e-mails, which is a day for smartd with -M daily.',
    ],
  },
  forms: webhook.forms,
  read: readWebhook,
  testRequest: ({ title, note }: TestAlert) => ({
    source: 'mail',
    subject: title,
    from: 'test@pager.invalid',
    text: note,
    headers: {},
  }),
} as const satisfies Tool;
