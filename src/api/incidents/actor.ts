import type { Actor } from '../../incidents/incident.ts';
import type { Caller } from '../route.ts';

/** Whoever sends a request, as timelines name them. */
export const actorOf = (caller: Caller): Actor => ({
  type: caller.kind === 'key' ? 'key' : 'user',
  id: caller.id,
  name: caller.name,
  via: caller.kind === 'key' ? 'api' : 'dashboard',
});
