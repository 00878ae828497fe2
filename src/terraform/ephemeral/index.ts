import type { EphemeralResource } from './ephemeral-resource.ts';
import { integrationToken } from './integration-token.ts';
import { webhookSecret } from './webhook-secret.ts';

export const ephemeralResources: readonly EphemeralResource[] = [integrationToken, webhookSecret];
