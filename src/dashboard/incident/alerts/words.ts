import { counted } from '../../../resources/plural.ts';

export const words = {
  title: (active: number, total: number) => `Alerts: ${active} active of ${total}`,
  failed: 'The alerts could not be loaded',
  more: 'Show more',
  columns: { title: 'Alert', urgency: 'Urgency', times: 'Reported', since: 'Since' },
  states: { firing: 'Active', resolved: 'Resolved' },
  times: (count: number) => `×${count}`,
  timesHint: (count: number) => `Reported ${counted(count, 'time')}`,
  first: 'First reported',
  last: 'Last reported',
  ended: 'Resolved',
  ends: 'Resolves unless it is reported again',
  key: 'Key',
  integration: 'Integration',
  otherIntegration: 'Another integration',
  select: (title: string) => `Select ${title}`,
  split: 'Split…',
  splitSome: (count: number) => `Split ${count}…`,
  splitHint: 'Select the alerts to move to a new incident.',
  splitTitle: 'Move to a new incident',
  splitText: (number: number, policy: string | undefined) =>
    `Opens a new incident, for which ${policy === undefined ? 'its policy' : `the policy “${policy}”`} pages from step 1. Alerts that move never join INC-${number} again.`,
  splitList: 'Alerts to move',
  splitSave: (count: number) => `Move ${counted(count, 'alert')}`,
  splitDone: (count: number) => `${counted(count, 'alert')} moved to`,
} as const;
