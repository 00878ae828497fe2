import { codeWords } from './code-words.ts';
import { failingWebhookWords } from './failing-webhook-words.ts';
import { incidentWords } from './incident-words.ts';
import type { Notice } from './notice.ts';
import { shiftWords } from './shift-words.ts';
import { usageWords } from './usage-words.ts';
import type { Words } from './wording.ts';

/** What a notice says, before a channel gives it a form. */
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
    case 'contact':
      return codeWords(notice);
  }
}
