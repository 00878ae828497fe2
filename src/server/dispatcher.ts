// What sends notices: composed with links that act, counted in metrics.
import { type LinkPower, linkExpiry, linkText } from '../api/links.ts';
import { type HandleAction, handleText } from '../api/receiving/handles.ts';
import type { Faults } from '../engine/faults.ts';
import type { Ledger, Wake } from '../engine/ledger.ts';
import type { ClaimedIncidentNotice } from '../engine/sending/claimed.ts';
import { compose } from '../engine/sending/compose.ts';
import { Dispatcher } from '../engine/sending/dispatch.ts';
import { contentOf } from '../engine/sending/webhook-call.ts';
import type { Incident } from '../incidents/incident.ts';
import type { Metrics } from '../metrics.ts';
import type { Channels } from './channels.ts';
import type { ServerContext } from './context.ts';

const viaOf = (channel: string): LinkPower['via'] => {
  if (channel === 'push-notification') return 'push';
  return channel === 'email' ? 'email' : 'chat';
};

type DispatcherParts = Channels & {
  readonly ledger: Ledger;
  readonly metrics: Metrics;
  readonly faults: Faults;
  readonly committed: (wake: Wake) => void;
};

export function createDispatcher(world: ServerContext, sending: DispatcherParts): Dispatcher {
  const { config, clock, log, random, claimant, secrets } = world;
  const { ledger, metrics, channels, webhooks, committed, faults } = sending;
  const linkFor = (claimed: ClaimedIncidentNotice, action: 'acknowledge' | 'resolve') => {
    const power = {
      organizationId: claimed.organization_id,
      incidentId: claimed.incident.id,
      action,
      userId: claimed.user_id,
      name: claimed.recipient ?? claimed.channel,
      via: viaOf(claimed.channel),
      expiresAt: linkExpiry(clock.now()),
    };
    return `${config.publicUrl}/act/${linkText(power, secrets.digest)}`;
  };
  const handleFor = (incident: Incident, action: HandleAction) =>
    handleText({ action, incident }, secrets.digest);
  return new Dispatcher({
    ...{ ledger, clock, log, random, claimant, channels, webhooks, committed, faults },
    hardAlertLimit: config.hardAlertLimit,
    compose: (claimed) => compose(claimed, { publicUrl: config.publicUrl, linkFor, handleFor }),
    contentOf: (call) => contentOf(call, config.publicUrl),
    attempted({ state, finishedAt }, { kind, channel, created_at }) {
      const ms = finishedAt.epochMilliseconds - created_at.epochMilliseconds;
      metrics.attempted({ kind, channel, outcome: state, seconds: ms / 1_000 });
    },
  });
}
