// What attempts that ended say of outbound webhooks: one success ends a time of failures.
import type { AttemptResult } from '../ports/sending.ts';

type Try = Pick<AttemptResult, 'state' | 'finishedAt'> & {
  readonly claimed: Pick<AttemptResult['claimed'], 'organization_id' | 'channel' | 'recipient_key'>;
};

type WebhookTries = {
  readonly working: readonly Try['claimed'][];
  readonly failing: readonly { readonly of: Try['claimed']; readonly since: Temporal.Instant }[];
};

export function webhookTries(attempts: readonly Try[]): WebhookTries {
  const tries = attempts.filter(({ claimed }) => claimed.channel === 'webhook');
  const working = new Map<string, Try['claimed']>();
  const failing = new Map<string, WebhookTries['failing'][number]>();
  for (const { claimed, state, finishedAt } of tries) {
    if (state === 'sent') working.set(claimed.recipient_key, claimed);
    else failing.set(claimed.recipient_key, { of: claimed, since: finishedAt });
  }
  for (const recipientKey of working.keys()) failing.delete(recipientKey);
  return { working: [...working.values()], failing: [...failing.values()] };
}
