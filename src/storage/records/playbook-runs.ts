// Which playbooks a playbook runs: read with it, so that a change that closes a loop is found.
import { referencesIn } from '../../resources/declaration/references-and-secrets.ts';
import { playbook } from '../../resources/playbook.ts';
import type { RecordHooks } from './record-hooks.ts';

export const playbookHooks: RecordHooks = {
  lookup: {
    columns: ['actions'],
    read: ({ actions }) => ({ playbookIds: playbooksIn(actions) }),
  },
};

const playbooksIn = (actions: unknown): string[] =>
  referencesIn(playbook.fields.actions, actions).flatMap(({ to, id }) =>
    to === playbook.name ? [id] : [],
  );
