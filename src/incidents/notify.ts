// Notices beside the policy: to the team's admins when nobody is reached or an alert storms, and to
// people who are assigned or added as responders.
import { incidentsLimits } from '../limits/incidents.ts';
import { byChannel, warningChannels } from '../resources/channels.ts';
import { namesText } from '../resources/plural.ts';
import { adminsOf, type Configuration } from './configuration.ts';
import {
  type Entry,
  entry,
  type Incident,
  type Intent,
  isPage,
  otherStormsText,
  waveOf,
} from './incident.ts';
import { destinationOf, type Reach, reachPerson } from './target-recipients.ts';

type Notified = { readonly intents: readonly Intent[]; readonly entries: readonly Entry[] };
type NotifyOptions = Pick<Intent, 'kind' | 'rank' | 'why' | 'otherStorms'> & {
  readonly once?: string;
};

/** Tells the team's admins by e-mail and push. */
export function notifyAdmins(
  incident: Incident,
  configuration: Configuration,
  options: NotifyOptions,
): Notified {
  const admins = adminsOf(configuration, incident.team_id);
  return notifyPeople(incident, admins, { ...options, configuration });
}

/** Notifies people by the usual channels of warnings, whatever their role in the policy. */
export function notifyPeople(
  incident: Incident,
  userIds: readonly string[],
  options: NotifyOptions & { readonly configuration: Configuration },
): Notified {
  const { kind, rank, why, otherStorms, configuration } = options;
  const { cycle } = incident.escalation;
  const wave = isPage({ kind }) ? waveOf(incident.escalation) : 0;
  const once = options.once ?? (wave > 0 ? `${cycle}-${wave}` : String(cycle));
  const reached = userIds.flatMap((id) =>
    warningChannels.map((via) => reachPerson(id, via, configuration)),
  );
  const intents = reached.flatMap((one): Intent[] => {
    const destination = destinationOf(one);
    if (destination === null) return [];
    const intent: Intent = {
      key: `${incident.id}/${kind}/${once}/${one.channel}/${one.personId}`,
      incident_id: incident.id,
      kind,
      channel: one.channel,
      ...destination,
      user_id: one.personId,
      recipient: one.name,
      why,
      cycle,
      step: -1,
      ...(wave > 0 && { wave }),
      ...(otherStorms && { otherStorms }),
      rank,
    };
    return [intent];
  });
  const also = otherStorms ? `, also about ${otherStormsText(otherStorms)}` : '';
  return { intents, entries: [notifiedEntry(incident, { kind, also }, reached)] };
}

function notifiedEntry(
  incident: Incident,
  { kind, also }: { readonly kind: string; readonly also: string },
  reached: readonly Reach[],
): Entry {
  const notified = reached.filter((one) => one.reached);
  const skipped = reached.filter((one) => !one.reached);
  const names = [...new Set(notified.map((one) => one.name))];
  const [first] = skipped;
  const because =
    first === undefined ? '' : ` (${first.name} ${byChannel(first.channel)}: ${first.reason})`;
  const text =
    notified.length > 0
      ? `${heading[kind] ?? kind}: notified ${nameList(names)}${also}`
      : `${heading[kind] ?? kind}: nobody could be notified${also}${because}`;
  const details = {
    notified: notified.map(targetDetails),
    skipped: skipped.map((one) => ({ ...targetDetails(one), reason: one.reason })),
  };
  return entry(incident, kind, text, { details });
}

const heading: Readonly<Record<string, string>> = {
  nobody_paged: 'Nobody could be paged',
  not_all_paged: 'Not everyone could be paged',
  storm: 'Alert storm',
  assigned: 'Reassigned',
  responder_added: 'Responder added',
};

/** A target as the timeline stores it, with the schedule that it was on call by. */
export const targetDetails = ({ channel, name, personId, duty }: Reach) => ({
  channel,
  name,
  user_id: personId,
  ...(duty !== null && { on_call: duty }),
});

export function nameList(names: readonly string[]): string {
  const named = names.slice(0, incidentsLimits.peopleNamed);
  return namesText(named, names.length - named.length);
}
