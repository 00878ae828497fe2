import type { IntegrationType } from './alert.ts';
import { email } from './email.ts';
import { prometheus } from './prometheus.ts';
import { webhook } from './webhook.ts';

/** Every kind of tool that can send alerts, by slug. */
export const integrationTypes: readonly IntegrationType[] = [email, prometheus, webhook];
