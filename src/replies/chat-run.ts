// Runs a playbook on an incident, or calls a webhook with it: named in a chat, or chosen from a list.
import { act } from '../engine/actions.ts';
import { type Configuration, teamIn } from '../incidents/configuration.ts';
import type { Incident } from '../incidents/incident.ts';
import { english } from '../notices/words/en.ts';
import { nameOrEmail } from '../resources/person-name.ts';
import type { ContactPerson } from '../storage/people/contacts.ts';
import { type Chat, type InboundParts, replyOf } from './chat.ts';
import { calledSo, type Runnable } from './chat-commands.ts';
import { type RunHandle, runHandleText } from './handles.ts';
import type { PressedMessage, Reply } from './inbound.ts';
import { incidentNamed } from './incident-named.ts';
import { resolvedBefore, resolvedBy, unchanged } from './perform.ts';

type By = { readonly person: ContactPerson; readonly configuration: Configuration };

type Run = By & { readonly what: Runnable; readonly number: number; readonly name: string };

const done = { playbook: 'ran on', webhook: 'is called with' } as const;

export async function runOnIncident(parts: InboundParts, chat: Chat, run: Run): Promise<Reply> {
  const { number, what } = run;
  const incident = await incidentNamed(parts.sql, chat.organizationId, { number });
  if (typeof incident === 'string') return replyOf(incident);
  const known = runnablesOf(run, incident);
  const [one, other] = calledSo(known, run.name);
  if (one === undefined) {
    const names = known.map(({ name }) => name).join(', ') || 'none';
    return replyOf(`The incident’s team has no ${what} called ${run.name}. Available: ${names}.`);
  }
  if (other !== undefined) return replyOf(`Several are called ${one.name}. Choose one in Pager.`);
  return runOne(parts, chat, { ...run, incident, one });
}

type List = By & {
  readonly what: Runnable;
  readonly incidentId: string;
  /** The one whose menu it was chosen in. */
  readonly message?: PressedMessage;
};

const questions = {
  playbook: (number: number) => `Which playbook should run on INC-${number}?`,
  webhook: (number: number) => `Which webhook should be called with INC-${number}?`,
} as const;

/** What can be run on an incident that is open. */
export async function listRunnables(parts: InboundParts, chat: Chat, list: List): Promise<Reply> {
  const { person, what, incidentId, message } = list;
  const { organizationId } = chat;
  const incident = await incidentNamed(parts.sql, organizationId, { id: incidentId });
  if (typeof incident === 'string') return replyOf(incident);
  const reason = resolvedBefore(incident);
  if (reason !== null) {
    const why = `${reason}${await resolvedBy(parts.sql, incident)}`;
    return unchanged(parts, { chat, person, incident, message }, why);
  }
  const known = runnablesOf(list, incident);
  if (known.length === 0) return replyOf(`The team of INC-${incident.number} has no ${what}.`);
  const sorted = known.toSorted((a, b) => a.name.localeCompare(b.name));
  const choices = sorted.map(({ id, name }) => ({
    text: name,
    handle: runHandleText(organizationId, { what, incidentId, id }, parts.secrets.digest),
  }));
  return { text: questions[what](incident.number), choices };
}

/** Runs what was chosen from such a list. */
export async function runChosen(
  parts: InboundParts,
  chat: Chat,
  { what, incidentId, id, ...by }: By & RunHandle,
): Promise<Reply> {
  const incident = await incidentNamed(parts.sql, chat.organizationId, { id: incidentId });
  if (typeof incident === 'string') return replyOf(incident);
  const one = runnablesOf({ ...by, what }, incident).find((known) => known.id === id);
  if (one === undefined) return replyOf(`Nothing was done: the ${what} no longer exists.`);
  const reasonAgainst = resolvedBefore;
  return runOne(parts, chat, { ...by, what, incident, one, reasonAgainst });
}

type RunOne = Pick<Run, 'person' | 'what'> & {
  readonly incident: Incident;
  readonly one: { readonly id: string; readonly name: string };
  readonly reasonAgainst?: (incident: Incident) => string | null;
};

async function runOne(
  parts: InboundParts,
  { organizationId, channel: via, reply }: Chat,
  { person, what, incident, one, reasonAgainst }: RunOne,
): Promise<Reply> {
  const by = { type: 'user', id: person.id, name: nameOrEmail(person), via } as const;
  const action =
    what === 'playbook'
      ? ({ type: 'playbook', playbook_id: one.id } as const)
      : ({ type: 'outboundWebhook', outbound_webhook_id: one.id } as const);
  const acted = await act(
    parts,
    { organizationId, id: incident.id },
    {
      action: { type: 'perform', by, action },
      mayTouch: () => true,
      ...(reasonAgainst && { reasonAgainst }),
      ...(reply && { reply }),
    },
  );
  switch (acted.result) {
    case 'done':
      return replyOf(`${one.name} ${done[what]} INC-${incident.number}.`);
    case 'unchanged':
    case 'refused':
      return replyOf(`Nothing was done: ${acted.reason}.`);
    case 'not_found':
      return replyOf(english.answer.notThere);
  }
}

/** Those of the incident's team that can be run. */
function runnablesOf(
  { configuration, what }: Pick<Run, 'configuration' | 'what'>,
  { team_id }: Incident,
) {
  if (what === 'playbook')
    return teamIn(configuration, team_id).playbooks.filter((one) => one.enabled && !one.archived);
  return [...configuration.webhooks.values()].filter(
    (one) => one.team_id === team_id && !one.archived,
  );
}
