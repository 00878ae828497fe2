import { counted } from '../../resources/plural.ts';

export const words = {
  title: 'Playbooks',
  one: 'playbook',
  empty: {
    title: 'No playbooks yet',
    text: 'A playbook is a list of actions on an incident. People, rules and other playbooks run it, or it runs automatically.',
  },
  actions: (count: number) => counted(count, 'action'),
  automatic: 'Runs automatically',
  manual: 'Run by people and rules',
  disabled: 'Disabled',
  needsOccasion:
    'Conditions apply only to playbooks that run automatically. Choose above when this one runs.',
} as const;
