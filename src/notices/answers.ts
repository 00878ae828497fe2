// What people can do about an incident with the buttons of a post in a chat, whatever the chat is.
import type { ActionTaken, IncidentNotice } from './kinds/incident.ts';
import type { Notice } from './notice.ts';

type Handles = NonNullable<IncidentNotice['handles']>;

export type AnswerVerb = keyof Handles;

/** What a press of that button sends back; empty: there is no such button. */
export type HandleFor = (verb: AnswerVerb) => string;

export type Answer = { readonly verb: AnswerVerb; readonly text: string; readonly handle: string };

/** Entries of a list that somebody chooses one of. */
export const CHOICES_MAX = 100;

const texts: Readonly<Record<AnswerVerb, string>> = {
  acknowledge: 'Acknowledge',
  resolve: 'Resolve',
  escalate: 'Escalate',
  unacknowledge: 'Unacknowledge',
  webhook: 'Call webhook…',
  playbook: 'Run playbook…',
};

type Status = IncidentNotice['incident']['status'];

/** The buttons of each state. */
const verbs: Readonly<Record<Status, readonly AnswerVerb[]>> = {
  triggered: ['acknowledge', 'resolve', 'escalate'],
  acknowledged: ['resolve', 'unacknowledge'],
  resolved: [],
};

/** What lists something that can be run. */
const listing: Readonly<Record<Status, readonly AnswerVerb[]>> = {
  triggered: ['webhook', 'playbook'],
  acknowledged: ['webhook', 'playbook'],
  resolved: [],
};

export const answersTo = (notice: Notice, handleFor?: HandleFor): readonly Answer[] =>
  answersIn(verbs, notice, handleFor);

export const listsFor = (notice: Notice, handleFor?: HandleFor): readonly Answer[] =>
  answersIn(listing, notice, handleFor);

function answersIn(
  offered: typeof verbs,
  notice: Notice,
  handleFor: HandleFor | undefined,
): readonly Answer[] {
  if (notice.about !== 'incident' || handleFor === undefined) return [];
  return offered[notice.incident.status]
    .map((verb) => ({ verb, text: texts[verb], handle: handleFor(verb) }))
    .filter(({ handle }) => handle !== '');
}

export function handlesOf(notice: Notice): HandleFor | undefined {
  const handles = notice.about === 'incident' ? notice.handles : undefined;
  return handles && ((verb) => handles[verb] ?? '');
}

/** Where there are buttons, the links that do the same are left out. */
export function withoutAnswers(notice: Notice): Notice {
  if (notice.about !== 'incident') return notice;
  const { links: _answers, ...rest } = notice;
  return rest;
}

export const takenOf = (notice: Notice): ActionTaken | undefined =>
  notice.about === 'incident' ? notice.taken : undefined;
