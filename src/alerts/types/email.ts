import type { TestAlert } from '../alert.ts';
import type { Tool } from '../reading/notation.ts';
import { readWebhook, webhook } from './webhook.ts';

/** Any tool that can send mail. */
export const email = {
  slug: 'email',
  name: 'E-mail',
  description:
    'Any tool that can send mail. Subjects that say the state, such as RESOLVED: in front, end the alert.',
  problem:
    'each subject, without its marks of state; of the mails of known tools what the tool names, such as the disk of a host',
  guide: {
    steps: [
      'Have the tool send its mail to {email}. The subject is the title, and without its marks of state the key.',
      'A subject with RESOLVED: or [OK] in front ends the alert of the rest. So does one that ends in "is UP" or "recovered", if its alert is open.',
      'What gateways and lists write in front, such as Fwd: or [EXTERNAL], is passed over. Tools that cannot mail post JSON to {url}.',
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
