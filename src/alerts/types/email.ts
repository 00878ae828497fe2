import type { TestAlert } from '../alert.ts';
import type { Tool } from '../reading/notation.ts';
import { readWebhook, webhook } from './webhook.ts';

/** Any tool that can send mail. */
export const email = {
  slug: 'email',
  name: 'E-mail',
  description:
    'Any tool that can send mail. Subjects that contain the state, such as RESOLVED: in front, end the alert.',
  problem:
    'each subject, without its marks of state; of the mails of known tools what the tool names, such as the disk of a host',
  guide: {
    steps: [
      'Have the tool send its mail to {email}. The subject is the title, and without its marks of state the key.',
      'A subject with RESOLVED: or [OK] in front ends the alert of the rest. So does one that ends in "is UP" or "recovered", if its alert is open.',
      'Marks that gateways and mailing lists add in front, such as Fwd: or [EXTERNAL], are ignored. Tools that cannot send mail post JSON to {url}.',
      'Mails of these tools are understood without a type of their own, with their default subjects and texts: Gatus, Munin, Xymon, Cacti, Veeam, Proxmox (vzdump), NUT, apcupsd, smartd and mdadm.',
      'The mails of smartd, mdadm, cron and fail2ban never report an end. Set auto_resolve of the integration for a tool that mails once, and resolve_when_quiet for one that repeats its mail, to more than the time between two mails: a day for smartd with -M daily.',
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
