import type { IntegrationType } from '../alert.ts';
import { readMail } from '../mail.ts';
import { readWebhook } from './webhook.ts';

/** Any tool that can send mail. */
export const email: IntegrationType = {
  slug: 'email',
  name: 'E-mail',
  description: 'Any tool that can send mail; a subject that begins with Resolved: ends the alert.',
  guide_url: '/docs/integrations/email',
  guide: {
    steps: [
      'Have the tool send its mail to {email}: the subject is the title and the key.',
      'A subject that begins with Resolved: ends the alert of the rest. Tools that cannot mail post JSON to {url}.',
    ],
  },
  read: (request, about) =>
    request.source === 'mail' ? readMail(request, about) : readWebhook(request, about),
  testRequest: ({ title, note }) => ({
    source: 'mail',
    subject: title,
    from: 'test@pager.invalid',
    text: note,
    headers: {},
  }),
};
