// What the pages of rules ask for beside the rules.
import { queryOptions } from '@tanstack/react-query';
import { readBody, readComputed } from '../api/pager.ts';
import type { Event } from '../integration/integration.ts';
import { detailKeysOf } from './detail-keys.ts';
import type { RuleTest } from './trial.ts';

const RECENT = '50';

export const detailKeysQuery = queryOptions({
  queryKey: ['incidents', 'detail keys'],
  queryFn: async () => {
    const { data } = await readBody<{ data: readonly { details?: unknown }[] }>('/incidents', {
      limit: RECENT,
    });
    return detailKeysOf(data.map(({ details }) => details));
  },
  staleTime: 60_000,
});

/** Newest first. */
export const recentEventsQuery = (integrationId: string) =>
  queryOptions({
    queryKey: ['integrations', integrationId, 'recent events'],
    queryFn: async () =>
      (
        await readBody<{ data: readonly Event[] }>(`/integrations/${integrationId}/events`, {
          limit: RECENT,
        })
      ).data,
    enabled: integrationId !== '',
  });

/** What an event of the log says, as a rule that covers everything sees it. */
export const eventAlertsQuery = (eventId: string) =>
  queryOptions({
    queryKey: ['integrations', 'event alerts', eventId],
    queryFn: async () => {
      const rule = {
        name: '-',
        condition_groups: [{ conditions: [{ type: 'allIncidents' }] }],
        actions: [{ type: 'ignoreIncident' }],
      };
      const { alerts } = await readComputed<RuleTest>('/alert-rules/test', {
        rule,
        event_id: eventId,
      });
      return alerts;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
