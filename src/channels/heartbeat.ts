import type { Delivery } from '../engine/sending/channel.ts';
import { createOutbound, everywhere, type OutboundOptions } from './outbound.ts';

const ourselves = { organizationId: '', kind: 'page' } as const;

type Heartbeat = Omit<OutboundOptions, 'allowNetworks'> & { readonly url: string };

/** Calls a monitoring service, such as healthchecks, which raises an alarm when the calls stop. */
export function createHeartbeat({ url, ...options }: Heartbeat): () => Promise<Delivery> {
  const outbound = createOutbound({ ...options, allowNetworks: everywhere });
  return () => outbound.request({ requester: ourselves, url, method: 'GET' });
}
