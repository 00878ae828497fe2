// Runs a playbook on an incident, or calls a webhook with it, named in a chat.
import { act } from '../../engine/actions.ts';
import type { Reply } from '../../engine/receiving/inbound.ts';
import { type Configuration, teamIn } from '../../incidents/configuration.ts';
import type { Incident } from '../../incidents/incident.ts';
import { nameOrEmail } from '../../resources/person-name.ts';
import { findIncident } from '../../storage/incidents/incidents.ts';
import type { ContactPerson } from '../../storage/people/contacts.ts';
import { type Chat, type ReceiveParts, replyOf } from './chat.ts';
import { notReadable, unreadable } from './perform.ts';

type Run = {
  readonly person: ContactPerson;
  readonly configuration: Configuration;
  readonly what: 'playbook' | 'webhook';
  readonly number: number;
  readonly name: string;
};

const done = { playbook: 'ran on', webhook: 'is called with' } as const;

export async function runOnIncident(parts: ReceiveParts, chat: Chat, run: Run): Promise<Reply> {
  const { person, what, number } = run;
  const { organizationId, channel: via } = chat;
  const scope = { organizationId, teamIds: null };
  const incident = await findIncident(parts.sql, scope, { counter: number }).catch(unreadable);
  if (incident === null) return replyOf(`There is no INC-${number}.`);
  if (incident === 'unreadable') return replyOf(notReadable);
  const known = namesOf(run, incident);
  const [one, other] = known.filter(({ name }) => name.toLowerCase() === run.name.toLowerCase());
  if (one === undefined) {
    const names = known.map(({ name }) => name).join(', ') || 'none';
    return replyOf(`No ${what} of its team is called ${run.name}. There are: ${names}.`);
  }
  if (other !== undefined) return replyOf(`Several are called ${one.name}. Do it in Pager.`);
  const by = { type: 'user', id: person.id, name: nameOrEmail(person), via } as const;
  const action =
    what === 'playbook'
      ? ({ type: 'playbook', playbook_id: one.id } as const)
      : ({ type: 'outboundWebhook', outbound_webhook_id: one.id } as const);
  const acted = await act(
    parts,
    { organizationId, id: incident.id },
    {
      ...{ action: { type: 'perform', by, action }, mayTouch: () => true },
      ...(chat.reply && { reply: chat.reply }),
    },
  );
  switch (acted.result) {
    case 'done':
      return replyOf(`${one.name} ${done[what]} INC-${number}.`);
    case 'refused':
      return replyOf(`Nothing was done: ${acted.reason}.`);
    case 'not_found':
      return replyOf('There is no such incident any more.');
  }
}

/** Those of the incident's team that can be run. */
function namesOf({ configuration, what }: Run, { team_id }: Incident) {
  if (what === 'playbook')
    return teamIn(configuration, team_id).playbooks.filter((one) => one.enabled && !one.archived);
  return [...configuration.webhooks.values()].filter(
    (one) => one.team_id === team_id && !one.archived,
  );
}
