import { counted } from '../../resources/plural.ts';
import { spanOf } from './times.ts';

export const words = {
  title: 'Escalation policies',
  one: 'escalation policy',
  empty: {
    title: 'No escalation policies yet',
    text: 'An escalation policy defines who is paged, by which channel, and in what order. Integrations use policies.',
  },
  noEffects:
    'See “Who would be paged” for the people and chats that the steps page. Open incidents keep their steps.',
  steps: 'Steps',
  stepsText:
    'All targets of a step are paged at the same time. The next step runs if nobody acknowledges.',
  step: (number: number) => `Step ${number}`,
  atOnce: 'Immediately',
  after: (minutes: number) => `After ${spanOf(minutes)}`,
  unknownStart: 'Depends on the wait times above',
  addStep: 'Add step',
  targets: (step: string) => `Targets of ${step.toLowerCase()}`,
  noTargets: 'No targets yet. Add at least one.',
  addTarget: 'Add target',
  addTargetHelp: 'Find a person, a schedule or a chat channel by name.',
  onCallOf: (schedule: string) => `On call: ${schedule}`,
  schedule: 'Schedule',
  chat: 'Chat',
  chatChannel: (chat: string) => `${chat} channel`,
  chatTarget: (chat: string, step: string, number: number) =>
    `${chat}, target ${number} of ${step.toLowerCase()}`,
  channelFor: (name: string) => `Channel for ${name}`,
  channelWithReason: (name: string, reason: string) => `${name} (${reason})`,
  removeTarget: (name: string, step: string) => `Remove ${name} from ${step.toLowerCase()}`,
  wait: 'Minutes until the next step',
  waitHelp: 'If nobody acknowledges. At least 1.',
  target: (name: string, channel: string) => `${name} (${channel})`,
  unnamed: 'Unnamed target',
  sentence: (first: string, rest: readonly (readonly [minutes: number, targets: string])[]) =>
    [first, ...rest.map(([minutes, targets]) => `after ${spanOf(minutes)} ${targets}`)].join(
      ', then ',
    ),
  startsLate: (minutes: number, text: string) => `After ${spanOf(minutes)} ${text}`,
  replacement: 'Replacement policy',
  replacementHelp:
    'Integrations, rules and playbooks move to it when you archive this policy. Your choice is saved immediately.',
  addToNew: 'Add to a new policy',
  addToExisting: 'Add to an existing policy',
  wouldPage: 'Who would be paged',
  incidentAt: 'Incident opens at',
  incomplete: 'Complete the steps to see who would be paged.',
  stepAt: (step: number, minutes: number | null) => {
    if (minutes === null) return `Step ${step}`;
    return minutes === 0 ? `Step ${step}, immediately` : `Step ${step}, after ${spanOf(minutes)}`;
  },
  skipped: 'It has nobody to page, so the next step runs in its place.',
  reachesNobody: 'reaches nobody',
  nobodyNow: (step: number, reasons: string) => `Step ${step} reaches nobody now: ${reasons}.`,
  reached: 'reached',
  notReached: (reason: string) => `not reached, ${reason}`,
  route: (route: string) => `(${route})`,
  thenNobody: 'Then nobody else is paged, unless the integration repeats the policy.',
  used: (count: number) => counted(count, 'integration'),
  unused: 'Not used by any integration',
} as const;
