import type { Resource } from './declaration/resource.ts';
import { resources } from './index.ts';
import { playbook } from './playbook.ts';

/** All that a team keeps: the six records that Terraform declares too, and its playbooks. */
export const records = [...resources, playbook] as const satisfies readonly Resource[];
