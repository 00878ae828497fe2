import type { Problem } from '../../resources/declaration/resource.ts';
import type { Capabilities, Proposal, RecordHooks } from './record-hooks.ts';

export const integrationHooks: RecordHooks = {
  check: (proposal, _lookup, capabilities) => checkSlug(proposal, capabilities),
  compute: ({ token, previous_token_expires_at }, { hooksUrl, emailDomain }) => ({
    webhook_url: `${hooksUrl}/${token}/push-events`,
    email_address: `${token}@${emailDomain}`,
    token,
    ...(previous_token_expires_at && { previous_token_expires_at }),
  }),
};

/** A slug that was stored before its type went away may stay. */
function checkSlug({ before, written }: Proposal, { slugs }: Capabilities): readonly Problem[] {
  const { slug } = written.fields;
  if (typeof slug !== 'string') return [];
  if (slugs.has(slug) || before?.fields['slug'] === slug) return [];
  return [{ path: 'slug', message: `must be one of ${[...slugs].join(', ')}` }];
}
