import { detailsPrefix } from '../../../resources/detail-path.ts';
import { counted } from '../../../resources/plural.ts';
import { listText } from '../../ui/list-text.ts';

export const words = {
  label: 'Group alerts',
  help: 'Alerts of one group join one open incident, which is resolved when none of them is active. An alert that is worse than those already paged for pages again.',
  by: 'Alerts have in common',
  ways: {
    none: 'No',
    group: 'By the groups of the tool',
    values: 'By values',
  },
  waysText: {
    none: 'Every alert opens its own incident.',
    group:
      'Alerts that the tool sends as one group join one incident. An alert without a group, such as one of an Alertmanager route without labels in group_by, opens its own incident.',
    values:
      'Alerts with the same values join one incident. An alert that lacks one of the values opens its own incident.',
  },
  off: 'Grouping is off while incident suppression is disabled, because then every alert opens its own incident. To group alerts, clear “Open an incident for every alert” first.',
  /** What is chosen. */
  values: {
    group: 'Group of the tool',
    service: 'Service',
    title: 'Title',
    severity: 'Severity',
    priority: 'Priority',
    [detailsPrefix]: 'Value in the details',
  } as Readonly<Record<string, string>>,
  /** In a sentence. */
  named: {
    group: 'group of the tool',
    service: 'service',
    title: 'title',
    severity: 'severity',
    priority: 'priority',
  } as Readonly<Record<string, string>>,
  value: (number: number) => `Value ${number}`,
  path: 'Path in the details',
  pathHelp: 'Such as labels.cluster.',
  pathOf: (number: number) => `Path of value ${number}`,
  add: 'Add value',
  remove: (number: number) => `Remove value ${number}`,
  window: 'Time limit',
  trial: (days: number) => `Try on the last ${days} days`,
  trying: 'Trying…',
  trialTitle: 'Past events with this grouping',
  trialText:
    'Compares the incidents and pages with the saved grouping and with this one. Nobody is paged.',
  trialStale: 'The grouping has changed since. Try it again.',
  trialIncomplete: 'Correct the grouping first.',
  trialOff:
    'You can try a grouping once “Open an incident for every alert” is off in the saved settings.',
  saved: 'Saved grouping',
  proposed: 'With this grouping',
  quietThoughWorse: (count: number) =>
    `${counted(count, 'alert')} would have been quiet although ${count === 1 ? 'it was' : 'they were'} worse than what was paged.`,
  noneText: 'No. Every alert opens its own incident.',
  offText: 'No, because incident suppression is disabled. Every alert opens its own incident.',
  /** `names`: null: the groups of the tool. */
  text: (names: readonly string[] | null, span: string | null) =>
    [
      names === null
        ? 'Alerts of one group of the tool join one incident'
        : `Alerts with the same ${listText(names)} join one incident`,
      span === null ? '.' : `, for up to ${span} after the last one joined.`,
    ].join(''),
} as const;
