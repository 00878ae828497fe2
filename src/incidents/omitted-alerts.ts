// What a tool leaves out of the message about a group because of a limit of its own: nobody is paged
// for it, so somebody should raise the limit or make smaller groups.
import type { AlertEvent } from '../alerts/alert.ts';
import { shortHash } from '../alerts/hash.ts';
import { typeOf } from '../alerts/index.ts';
import { oneLine } from '../alerts/text.ts';
import { counted } from '../resources/plural.ts';
import type { RoutedIntegration } from './configuration.ts';
import type { Finding } from './findings.ts';

/** The next whole message of the group, by the same sender, shows that nothing is missing now. */
export function omissionOf(
  { slug }: Pick<RoutedIntegration, 'slug'>,
  { omitted, group = '', reporter = '' }: Pick<AlertEvent, 'omitted' | 'group' | 'reporter'>,
): readonly Finding[] {
  if (omitted === undefined) return [];
  const subject = shortHash(`${reporter}\n${group}`);
  if (omitted === 0) return [{ kind: 'omitted_alerts', subject, text: null }];
  const type = typeOf(slug);
  const name = oneLine(group).slice(0, 100);
  const of = name === '' ? '' : ` of the group ${name}`;
  const limit = type?.groupLimit ?? 'its limit of alerts for each message';
  const text = `The last message omitted ${counted(omitted, 'alert')}${of}. Omitted alerts page nobody. Raise ${limit}, or group by more labels.`;
  return [{ kind: 'omitted_alerts', subject, text }];
}
