import type { Notice } from '../notice.ts';
import { accountWords } from './account.ts';
import { codeWords } from './code.ts';
import { failingChannelWords } from './failing-channel.ts';
import { failingConnectionWords } from './failing-connection.ts';
import { failingWebhookWords } from './failing-webhook.ts';
import { incidentWords } from './incident.ts';
import { lostContactWords } from './lost-contact.ts';
import { shiftWords } from './shift.ts';
import { undecidedWords } from './undecided.ts';
import { usageWords } from './usage.ts';
import type { Words } from './wording.ts';

/** The text of a notice, before a channel formats it. */
export function wordsOf(notice: Notice): Words {
  switch (notice.about) {
    case 'incident':
      return incidentWords(notice);
    case 'shift':
      return shiftWords(notice);
    case 'usage':
      return usageWords(notice);
    case 'webhook':
      return failingWebhookWords(notice);
    case 'connection':
      return failingConnectionWords(notice);
    case 'channel':
      return failingChannelWords(notice);
    case 'undecided':
      return undecidedWords(notice);
    case 'lost_contact':
      return lostContactWords(notice);
    case 'contact':
      return codeWords(notice);
    case 'account':
      return accountWords(notice);
  }
}
