// The routes of the API, each folder's given what it needs.
import { integrationTypes } from '../alerts/index.ts';
import { attentionRoute } from '../api/attention/attention.ts';
import { chatChannelRoute } from '../api/connections/chat-channels.ts';
import { connectionRoutes } from '../api/connections/routes.ts';
import { unpostableWarnings } from '../api/connections/unpostable-channels.ts';
import { withBuiltIn } from '../api/contacts/channels.ts';
import { contactWarnings } from '../api/contacts/contact-warnings.ts';
import { eventStreamRoute } from '../api/event-stream/route.ts';
import { typeOf } from '../api/events/stored-events.ts';
import { createLimiter } from '../api/http/limiter.ts';
import { incidentRoutes } from '../api/incidents/routes.ts';
import { integrationActivityRoute } from '../api/integrations/activity.ts';
import { keyRoutes } from '../api/integrations/adopted-keys.ts';
import { groupingWarnings } from '../api/integrations/grouping-warnings.ts';
import { lastDayRoute } from '../api/integrations/last-day.ts';
import { mappingRoutes } from '../api/integrations/mapping.ts';
import { testEventRoute } from '../api/integrations/test-event.ts';
import { wasAnAlertRoute } from '../api/integrations/was-an-alert.ts';
import { calendarRoutes } from '../api/oncall/calendars.ts';
import { coverRequestRoutes } from '../api/oncall/cover-requests.ts';
import { coverageWarnings } from '../api/oncall/coverage.ts';
import { notificationRoutes } from '../api/oncall/notifications.ts';
import { overrideRoutes } from '../api/oncall/overrides.ts';
import { oncallRoutes } from '../api/oncall/routes.ts';
import { quotaRoutes } from '../api/people/quota.ts';
import { peopleRoutes } from '../api/people/routes.ts';
import type { Addresses } from '../api/records/record-hooks.ts';
import { recordRoutes } from '../api/records/routes.ts';
import { searchRoute } from '../api/records/search.ts';
import { usesRoutes } from '../api/records/uses.ts';
import { reportRoutes } from '../api/reports/routes.ts';
import type { Route } from '../api/route.ts';
import type { AccountMails } from '../api/sign-in/account-mails.ts';
import { hashPassword } from '../api/sign-in/passwords/passwords.ts';
import { webhookDeliveryRoutes } from '../api/webhooks/deliveries.ts';
import { webhookSecretRoutes } from '../api/webhooks/secrets.ts';
import { overridePreviewRoutes } from '../api/what-if/override-preview.ts';
import { whatIfRoutes } from '../api/what-if/routes.ts';
import { createAddressPolicy } from '../channels/address-policy.ts';
import { callbackUrlOf, isPublicAddress } from '../channels/public-address.ts';
import { publicKeyText } from '../channels/push/vapid.ts';
import { noWake } from '../engine/wake.ts';
import { sendingLimits } from '../limits/sending.ts';
import { needsMailServer } from '../resources/channels.ts';
import { connectedChannels } from '../storage/connections/connections.ts';
import { newScheduleRulesApply } from '../storage/oncall/schedule-rules.ts';
import { activeTeams } from '../storage/people/teams.ts';
import { connectionCheck } from './connection-check.ts';
import type { ServerContext } from './context.ts';
import type { Engine } from './engine.ts';
import { roomFetch } from './rooms.ts';

/** What integrations' addresses are made of. */
export const addressesOf = ({ publicUrl, mailListener }: ServerContext['config']): Addresses => ({
  hooksUrl: `${publicUrl}/hooks`,
  emailDomain: mailListener.domain,
});

export function apiRoutes(
  world: ServerContext,
  engine: Engine,
  mails: AccountMails,
): readonly Route[] {
  const { config, log, clock, ids, pools, secrets, records } = world;
  const { api: sql } = pools;
  const parts = { ...world, sql };
  const { publicUrl } = config;
  const callbackUrlIn = (vendor: string) =>
    callbackUrlOf(publicUrl, config.vendorUrls[vendor] !== undefined);
  const { ledger, channels, configurations, committed, compute } = engine;
  const hasMailServer = config.mail.smtpUrl !== null;
  // As decisions have it: e-mail that is only written to a folder is not set up.
  const paging = new Map([...channels].filter(([name]) => hasMailServer || !needsMailServer(name)));
  const slugs = new Set(integrationTypes.map(({ slug }) => slug));
  const refusalOf = createAddressPolicy(config.allowNetworks);
  const capabilitiesOf = async (organizationId: string) => {
    const [connected, areNew] = await Promise.all([
      connectedChannels(sql, organizationId),
      newScheduleRulesApply(sql),
    ]);
    const channels = withBuiltIn(paging, connected);
    return { slugs, refusalOf, channels, connected: new Set(connected), isUpgrading: !areNew };
  };
  const saving = {
    records,
    teams: (scope: Parameters<typeof activeTeams>[1]) => activeTeams(sql, scope),
  };
  return [
    ...recordRoutes({
      ...saving,
      scheduleCommitted: () => committed({ ...noWake, shifts: true }),
      faults: engine.faults,
      // The save is stored: that its warnings cannot be told must not make it look refused.
      scheduleWarnings: (saved) =>
        coverageWarnings({ sql, compute }, saved).catch((error: unknown) => {
          log.error({ err: error, schedule: saved.id }, 'coverage could not be computed');
          return [];
        }),
      channelWarnings: (organizationId, named) =>
        unpostableWarnings(sql, organizationId, named).catch((error: unknown) => {
          log.error({ err: error }, 'the state of channels could not be read');
          return [];
        }),
      contactWarnings: (organizationId, named) =>
        contactWarnings({ sql, channels: paging, publicUrl }, organizationId, named).catch(
          (error: unknown) => {
            log.error({ err: error }, 'contacts could not be read');
            return [];
          },
        ),
      groupingWarnings: (of, by) =>
        groupingWarnings(sql, of, by).catch((error: unknown) => {
          log.error({ err: error }, 'the last alerts could not be read');
          return [];
        }),
      integrationTypes,
      capabilitiesOf,
      addresses: addressesOf(config),
    }),
    ...incidentRoutes({
      sql,
      ledger,
      clock,
      ids,
      configurations,
      publicUrl,
      committed,
      compute,
      faults: engine.faults,
      eventStorageBytes: config.eventStorageBytes,
    }),
    ...reportRoutes({ sql }),
    testEventRoute({ sql, ids, intake: engine.intake, typeOf }),
    wasAnAlertRoute({ sql, intake: engine.intake }),
    integrationActivityRoute({ sql }),
    lastDayRoute({ sql }),
    attentionRoute({
      sql,
      compute,
      channels,
      publicUrl,
      hasMailServer,
    }),
    searchRoute({ sql, publicUrl }),
    ...usesRoutes(sql),
    ...peopleRoutes({
      sql,
      ids,
      secrets,
      hashPassword,
      clock,
      channels,
      publicUrl,
      mails,
      hasMailServer,
      callbackUrlOf: callbackUrlIn,
      pushKey: publicKeyText(world.vapidKey),
    }),
    ...connectionRoutes({
      sql,
      ids,
      secrets,
      hasMailServer,
      checkConnection: connectionCheck(world),
      publicUrl,
      isPublic: isPublicAddress(publicUrl),
      callbackUrlOf: callbackUrlIn,
    }),
    chatChannelRoute({
      sql,
      fetchChannel: roomFetch({ ...world, sql }),
      fetches: createLimiter({ clock, tries: sendingLimits.chatChannelsFetched, seconds: 60 }),
    }),
    ...oncallRoutes({ sql, compute }),
    ...overrideRoutes({ sql, ids, committed }),
    ...coverRequestRoutes({ sql, ids, secrets, configurations, committed }),
    ...overridePreviewRoutes({ sql, configurations, compute }),
    ...notificationRoutes(parts),
    ...webhookSecretRoutes(parts),
    ...webhookDeliveryRoutes({ ...parts, publicUrl, committed, faults: engine.faults }),
    ...keyRoutes(parts),
    ...mappingRoutes({ ...parts, compute }),
    ...quotaRoutes({ sql, hardAlertLimit: config.hardAlertLimit }),
    ...whatIfRoutes({
      ...parts,
      hasMailServer,
      ...saving,
      configurations,
      faults: engine.faults,
      compute,
      capabilitiesOf,
    }),
    eventStreamRoute({ feeds: engine.feeds, ended: engine.metrics.eventStreamEnded }),
    ...calendarRoutes({ sql, secrets, ids, publicUrl }),
  ];
}
