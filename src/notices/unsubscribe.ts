// The page where a person turns off e-mails like a notice about shifts.
import { needsMailServer } from '../resources/channels.ts';
import type { ComposeOptions, DueNotice } from './kind.ts';

/** Of an e-mail to a person; nothing of other notices. */
export const unsubscribeOf = (
  { user_id, organization_id, channel }: DueNotice,
  { unsubscribeFor }: ComposeOptions,
): { readonly unsubscribe?: string } =>
  user_id !== null && needsMailServer(channel) && unsubscribeFor
    ? { unsubscribe: unsubscribeFor({ organization_id, user_id }) }
    : {};
