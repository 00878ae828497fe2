// Opens an incident about a service from a chat, as POST /incidents does.
import { oneLine, storable, titleOf } from '../alerts/text.ts';
import { openByHand } from '../engine/open-by-hand.ts';
import type { Configuration } from '../incidents/configuration.ts';
import type { Incident } from '../incidents/incident.ts';
import { commandOf } from '../resources/channels.ts';
import { nameOrEmail } from '../resources/person-name.ts';
import { actedBefore } from '../storage/connections/replies.ts';
import type { ContactPerson } from '../storage/people/contacts.ts';
import { lookupIn } from '../storage/records/uses.ts';
import { type Chat, type InboundParts, replyOf } from './chat.ts';
import { splitAfterName } from './chat-commands.ts';
import { onCallLine, schedulesIn } from './chat-who.ts';
import type { Reply } from './inbound.ts';
import { incidentNamed } from './incident-named.ts';

export type Page = {
  readonly person: ContactPerson;
  readonly configuration: Configuration;
  /** Begins with the name of a service. */
  readonly text: string;
};

export async function pageService(parts: InboundParts, chat: Chat, page: Page): Promise<Reply> {
  const { person, configuration, text } = page;
  const services = [...configuration.services.values()].filter(({ archived }) => !archived);
  const split = splitAfterName(text, services);
  if (split === null) return replyOf(unknownService(page, chat, parts.clock.now()));
  const line = oneLine(split.rest);
  const title = titleOf(line);
  if (title === '')
    return replyOf(
      `What is wrong? Write: ${commandOf(chat.channel)} page ${split.name} and what is wrong`,
    );
  const [service, other] = split.named;
  if (service === undefined || other !== undefined)
    return replyOf(`Several services are called ${split.name}. Open the incident in Pager.`);
  const details = title === line ? null : storable(split.rest);
  const { organizationId, channel: via, reply } = chat;
  const before = reply ? await actedBefore(parts.sql, reply) : null;
  if (before !== null) return openedBefore(parts, chat, before.incidentId);
  const { teamId } =
    (await lookupIn(parts.sql, organizationId)('service', [service.id])).get(service.id) ?? {};
  if (!teamId) return replyOf(`The service ${service.name} no longer exists.`);
  const opened = await openByHand(parts, {
    organizationId,
    repeatable: null,
    ...(reply && { reply }),
    report: {
      by: { type: 'user', id: person.id, name: nameOrEmail(person), via },
      team_id: teamId,
      service_id: service.id,
      escalation_policy_id: null,
      title,
      details,
      priority: null,
      severity: null,
    },
  });
  if (opened.result === 'refused') return replyOf(`No incident was opened: ${opened.reason}.`);
  if (opened.result === 'policy_needed')
    return replyOf(
      `No incident was opened: an escalation policy ${opened.reason}. Open it in Pager.`,
    );
  return openReply(
    parts,
    `INC-${opened.incident.number} is open for ${service.name}: ${title}`,
    opened.incident,
  );
}

const openReply = (
  { publicUrl }: Pick<InboundParts, 'publicUrl'>,
  text: string,
  { number }: Pick<Incident, 'number'>,
): NonNullable<Reply> => ({
  text,
  link: { href: `${publicUrl}/incidents/${number}`, text: 'Open in Pager' },
});

/** The same was delivered before. */
async function openedBefore(parts: InboundParts, chat: Chat, id: string): Promise<Reply> {
  const incident = await incidentNamed(parts.sql, chat.organizationId, { id });
  if (typeof incident === 'string') return replyOf(incident);
  return openReply(parts, `INC-${incident.number} is already open: ${incident.title}`, incident);
}

/** Schedules are not paged, services are: their policies decide who is. */
function unknownService(
  { configuration, text }: Page,
  { channel }: Chat,
  now: Temporal.Instant,
): string {
  const [schedule] = splitAfterName(text, schedulesIn(configuration))?.named ?? [];
  const how = `To page, write: ${commandOf(channel)} page, the name of a service, and what is wrong.`;
  if (schedule === undefined) return `No service has that name. ${how}`;
  return `${onCallLine(schedule, configuration, now)}\n${schedule.name} is a schedule. ${how}`;
}
