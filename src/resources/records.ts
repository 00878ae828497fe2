import { resources } from './index.ts';
import { playbook } from './playbook.ts';
import type { Resource } from './resource.ts';

/** All that a team keeps: the six records that Terraform declares too, and its playbooks. */
export const records = [...resources, playbook] as const satisfies readonly Resource[];
