// What the guide of an integration type says, for the page on the server and for docs/integrations.

import type { IntegrationType } from '../../../alerts/integration-type.ts';
import { sendsGroups } from '../../../resources/grouping-types.ts';
import type { GuideAddresses } from '../../../resources/guide-addresses.ts';

/** As much of a type as its guide shows. */
export type GuidedType = Pick<
  IntegrationType,
  'slug' | 'name' | 'description' | 'problem' | 'guide_url' | 'guide' | 'knownAs'
>;

/** In place of addresses that are not known to whoever reads. */
export const placeholders = (
  publicUrl = '<public url>',
  emailDomain = '<email domain>',
): GuideAddresses => ({
  url: `${publicUrl}/hooks/<token>/push-events`,
  email: `<token>@${emailDomain}`,
});

/** What is understood beside what the steps set up; with `{url}` and `{email}`, as in steps. */
export function alsoUnderstood({
  slug,
  name,
  problem,
  knownAs = [],
}: GuidedType): readonly string[] {
  const others = knownAs.filter((one) => one !== name);
  return [
    sendsGroups(slug)
      ? `A new integration opens one incident for each group that the tool sends, and otherwise for ${problem}. A group without labels does not count.`
      : `Pager opens one incident for ${problem}.`,
    ...(slug === 'email'
      ? []
      : [
          'You can also send e-mail to {email}. The subject is the title. A subject that begins with Resolved: ends the alert named by the rest of the subject.',
        ]),
    'A body from another known tool is read in that tool’s format. An unknown body also opens an incident, and the event log shows its format.',
    ...(others.length === 0 ? [] : [`Other services call this type ${others.join(', ')}.`]),
  ];
}

/** Those that have all words of the text in what they are called or said to do. */
export function typesMatching<Type extends GuidedType>(
  types: readonly Type[],
  text: string,
): readonly Type[] {
  const wanted = text.toLowerCase().split(/\s+/);
  return types.filter(({ slug, name, description, knownAs = [] }) => {
    const own = [slug, name, description, ...knownAs].join(' ').toLowerCase();
    return wanted.every((word) => own.includes(word));
  });
}
