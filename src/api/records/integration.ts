import { usualRepeatOf } from '../../alerts/usual-repeats.ts';
import { minutesOf, type Span } from '../../incidents/incident.ts';
import type { Problem } from '../../resources/declaration/resource.ts';
import { groupingTypes, sendsGroups } from '../../resources/grouping-types.ts';
import { slugProblem } from '../../resources/integration.ts';
import { spanText } from '../../resources/plural.ts';
import type { RecordFields } from './body.ts';
import type { Capabilities, Proposal, RecordHooks } from './record-hooks.ts';

export const integrationHooks: RecordHooks = {
  check: (proposal, _lookup, capabilities) => [
    ...checkSlug(proposal, capabilities),
    ...checkGroups(proposal.written.fields),
  ],
  keep: (fields, before) =>
    'grouping' in fields ? fields : { ...fields, grouping: before.fields['grouping'] },
  complete: (fields) => ({ ...fields, grouping: fields['grouping'] ?? defaultGrouping(fields) }),
  compute: ({ token, previous_token_expires_at }, { hooksUrl, emailDomain }) => ({
    webhook_url: `${hooksUrl}/${token}/push-events`,
    email_address: `${token}@${emailDomain}`,
    token,
    ...(previous_token_expires_at && { previous_token_expires_at }),
  }),
  async warn(effects, { organizationId, id, fields }) {
    const { by = [] } = (fields['grouping'] ?? {}) as { readonly by?: readonly string[] };
    const missing = await effects.groupingWarnings({ organizationId, integrationId: id }, by);
    return [...quietWarnings(fields), ...missing];
  },
};

const disabled = 'disable_incident_suppression';

const defaultGrouping = ({ slug, [disabled]: isDisabled }: RecordFields) => ({
  by: sendsGroups(String(slug)) && !isDisabled ? ['group'] : [],
});

/** Its tool sends no groups by which its alerts could be grouped. */
export function checkGroups({ slug, grouping }: RecordFields): readonly Problem[] {
  const by = (grouping as { readonly by?: unknown } | undefined)?.by;
  const index = Array.isArray(by) ? by.indexOf('group') : -1;
  if (index < 0 || sendsGroups(String(slug))) return [];
  const message = `tools of type ${String(slug)} send no groups (those of ${groupingTypes.join(', ')} do)`;
  return [{ path: `grouping.by[${index}]`, message }];
}

/** What is quieter than the tool itself between two repeats would end while it lasts. */
function quietWarnings({ slug, resolve_when_quiet }: RecordFields): readonly string[] {
  const quiet = resolve_when_quiet as Span | null | undefined;
  const usual = usualRepeatOf(String(slug));
  if (!quiet || usual === null || minutesOf(quiet) > usual.minutes) return [];
  const repeat = spanText({ after: usual.minutes, unit: 'minutes' });
  return [
    `Incidents may be resolved while their alert is still active, because by default the tool repeats it only every ${repeat} (${usual.by}). Set resolve_when_quiet to a longer time.`,
  ];
}

/** A slug that was stored before its type went away may stay. */
function checkSlug({ before, written }: Proposal, { slugs }: Capabilities): readonly Problem[] {
  const { slug } = written.fields;
  if (typeof slug !== 'string') return [];
  if (slugs.has(slug) || before?.fields['slug'] === slug) return [];
  return [slugProblem(slug, [...slugs])];
}
