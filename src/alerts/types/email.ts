import type { TestAlert } from '../alert.ts';
import type { Tool } from '../reading/notation.ts';
import { readWebhook, webhook } from './webhook.ts';

/** Any tool that can send mail. */
export const email = {
  slug: 'email',
  name: 'E-mail',
  description: 'Any tool that can send mail; a subject that begins with Resolved: ends the alert.',
  problem:
    'each subject, without its marks of state; of the mails of known tools what the tool names, such as the disk of a host',
  guide: {
    steps: [
      'Have the tool send its mail to {email}: the subject is the title and the key.',
      'A subject that begins with Resolved: ends the alert of the rest. Tools that cannot mail post JSON to {url}.',
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
