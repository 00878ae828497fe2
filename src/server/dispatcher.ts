// What sends notices and brings them up to date: composed with links that act, counted in metrics.
import { addressMark, type LinkPower, linkExpiry, linkText } from '../api/incidents/links.ts';
import { unsubscribeLink } from '../api/oncall/unsubscribe.ts';
import type { Faults } from '../engine/faults.ts';
import type { Ledger } from '../engine/ledger.ts';
import { Reconciler } from '../engine/message-updates/reconcile.ts';
import type { ClaimedPersonalNotice } from '../engine/sending/claimed.ts';
import { Dispatcher } from '../engine/sending/dispatch.ts';
import { recordReport } from '../engine/sending/follow-attempts.ts';
import { contentOf } from '../engine/sending/webhook-call.ts';
import type { Wake } from '../engine/wake.ts';
import type { Incident } from '../incidents/incident.ts';
import type { Metrics } from '../metrics.ts';
import type { ComposeOptions } from '../notices/kind.ts';
import { compose } from '../notices/queued.ts';
import { attemptHandle } from '../replies/attempt-handles.ts';
import { type Handle, handleText } from '../replies/handles.ts';
import { mailHandle } from '../replies/mail-handles.ts';
import { isDeviceChannel, needsMailServer, signInChannel } from '../resources/channels.ts';
import { isStillWanted } from '../storage/incidents/paged.ts';
import type { LedgerParts } from '../storage/ledger/context.ts';
import { createPostStorage, threadOf } from '../storage/message-updates/posted-messages.ts';
import type { Channels } from './channels.ts';
import type { ServerContext } from './context.ts';

const viaOf = (channel: string): LinkPower['via'] => {
  if (isDeviceChannel(channel)) return 'push';
  return channel === signInChannel ? signInChannel : 'chat';
};

type SendingParts = Omit<Channels, 'email'> & {
  readonly ledgerParts: LedgerParts;
  readonly ledger: Ledger;
  readonly metrics: Metrics;
  readonly faults: Faults;
  readonly committed: (wake: Wake) => void;
};

/** Both render notices in the same way. */
export type Sending = { readonly dispatcher: Dispatcher; readonly reconciler: Reconciler };

export function createSending(world: ServerContext, sending: SendingParts): Sending {
  const { config, clock, log, random, claimant, secrets, pools } = world;
  const { ledgerParts, ledger, metrics, channels, webhooks, committed, faults } = sending;
  const { engine: sql } = pools;
  const linkFor: ComposeOptions['linkFor'] = (claimed, action) => {
    const power = {
      organizationId: claimed.organization_id,
      incidentId: claimed.incident.id,
      action,
      userId: claimed.user_id,
      name: claimed.recipient ?? claimed.channel,
      via: viaOf(claimed.channel),
      ...(claimed.channel === signInChannel && {
        mark: addressMark(claimed.address, secrets.digest),
      }),
      expiresAt: linkExpiry(clock.now()),
    };
    return `${config.publicUrl}/act/${linkText(power, secrets.digest)}`;
  };
  const handleFor = (incident: Incident, action: Handle['action']) =>
    handleText({ action, incident }, secrets.digest);
  const { publicUrl } = config;
  const unsubscribeFor: ComposeOptions['unsubscribeFor'] = ({
    organization_id: organizationId,
    user_id: userId,
  }) => unsubscribeLink({ organizationId, userId }, { digest: secrets.digest, publicUrl });
  const composed = (claimed: ClaimedPersonalNotice) =>
    compose(claimed, { publicUrl, linkFor, handleFor, unsubscribeFor });
  const reconciler = new Reconciler({
    clock,
    random,
    channels,
    faults,
    committed,
    storage: createPostStorage(ledgerParts),
    compose: composed,
    async reported(report) {
      committed(await ledger.transact((tx) => recordReport(tx, report, clock.now())));
    },
    edited: (channel, outcome) => metrics.edited({ channel, outcome }),
  });
  const dispatcher = new Dispatcher({
    ledger,
    clock,
    log,
    random,
    claimant,
    channels,
    webhooks,
    committed,
    faults,
    hardAlertLimit: config.hardAlertLimit,
    handleOf: (claimed) => {
      // In an address there is room for less, and what it acts on is known by the attempt.
      if (claimed.about === 'incident' && needsMailServer(claimed.channel))
        return mailHandle({ ...claimed, incidentId: claimed.incident.id }, secrets.digest);
      const at = claimed.about === 'incident' ? claimed.incident.escalation : undefined;
      return attemptHandle(claimed, secrets.digest, at);
    },
    compose: composed,
    threadOf: (claimed) => threadOf(sql, claimed),
    isWanted: (claimed) => isStillWanted(sql, claimed),
    contentOf: (call) => contentOf(call, config.publicUrl),
    attempted({ state, finishedAt, claimed: { kind, channel, created_at } }) {
      const ms = finishedAt.epochMilliseconds - created_at.epochMilliseconds;
      metrics.attempted({ kind, channel, outcome: state, seconds: ms / 1_000 });
    },
  });
  return { dispatcher, reconciler };
}
