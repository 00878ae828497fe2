// Opens an incident about a service from a chat, as POST /incidents does.
import { oneLine, titleOf } from '../../alerts/text.ts';
import { openByHand } from '../../engine/open-by-hand.ts';
import { splitAfterName } from '../../engine/receiving/chat-commands.ts';
import type { Reply } from '../../engine/receiving/inbound.ts';
import type { Configuration } from '../../incidents/configuration.ts';
import { nameOrEmail } from '../../resources/person-name.ts';
import type { ContactPerson } from '../../storage/people/contacts.ts';
import { lookupIn } from '../../storage/records/uses.ts';
import { type Chat, type ReceiveParts, replyOf } from './chat.ts';
import { onCallLine, schedulesIn } from './chat-who.ts';

export type Page = {
  readonly person: ContactPerson;
  readonly configuration: Configuration;
  /** Begins with the name of a service. */
  readonly text: string;
};

export async function pageService(parts: ReceiveParts, chat: Chat, page: Page): Promise<Reply> {
  const { person, configuration, text } = page;
  const services = [...configuration.services.values()].filter(({ archived }) => !archived);
  const split = splitAfterName(
    text,
    services.map(({ name }) => name),
  );
  if (split === null) return replyOf(unknownService(page, parts.clock.now()));
  const title = titleOf(oneLine(split.rest));
  if (title === '')
    return replyOf(`What is wrong? Write: /pager page ${split.name} and what is wrong`);
  const [service, other] = services.filter(({ name }) => name === split.name);
  if (service === undefined || other !== undefined)
    return replyOf(`Several services are called ${split.name}. Open the incident in Pager.`);
  const { organizationId, channel: via } = chat;
  const { teamId } =
    (await lookupIn(parts.sql, organizationId)('service', [service.id])).get(service.id) ?? {};
  if (!teamId) return replyOf(`There is no service ${split.name} any more.`);
  const opened = await openByHand(parts, {
    ...{ organizationId, repeatable: null },
    report: {
      by: { type: 'user', id: person.id, name: nameOrEmail(person), via },
      ...{ team_id: teamId, service_id: service.id, escalation_policy_id: null },
      ...{ title, details: null, priority: null, severity: null },
    },
  });
  if (opened.result === 'refused') return replyOf(`No incident was opened: ${opened.reason}.`);
  if (opened.result === 'policy_needed')
    return replyOf(
      `No incident was opened: an escalation policy ${opened.reason}. Open it in Pager.`,
    );
  const { number } = opened.incident;
  return {
    text: `INC-${number} is open for ${service.name}: ${title}`,
    link: { href: `${parts.publicUrl}/incidents/${number}`, text: 'Open in Pager' },
  };
}

/** Schedules are not paged, services are: their policies decide who is. */
function unknownService({ configuration, text }: Page, now: Temporal.Instant): string {
  const schedules = schedulesIn(configuration);
  const split = splitAfterName(
    text,
    schedules.map(({ name }) => name),
  );
  const schedule = schedules.find(({ name }) => name === split?.name);
  const how = 'To page, write: /pager page, the name of a service, and what is wrong.';
  if (schedule === undefined) return `No service is called that. ${how}`;
  return `${onCallLine(schedule, configuration, now)}\n${schedule.name} is a schedule. ${how}`;
}
