// The kinds of notices. Rows of the outbox are read by the first kind that knows them.
import { account } from './account.ts';
import { answer } from './answer.ts';
import { code } from './code.ts';
import { coverRequest } from './cover-request.ts';
import { failingChannel } from './failing-channel.ts';
import { failingConnection } from './failing-connection.ts';
import { failingWebhook } from './failing-webhook.ts';
import { incident } from './incident.ts';
import { lostContact } from './lost-contact.ts';
import { shift } from './shift.ts';
import { summary } from './summary.ts';
import { undecided } from './undecided.ts';
import { usage } from './usage.ts';

export const kinds = [
  usage,
  failingWebhook,
  failingConnection,
  failingChannel,
  undecided,
  lostContact,
  shift,
  coverRequest,
  incident,
  summary,
  code,
  account,
  answer,
] as const;
