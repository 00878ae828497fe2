// What a draft would do, as the server computes it.
import { queryOptions } from '@tanstack/react-query';
import { readComputed } from '../api/pager.ts';
import type { Span } from './axis.ts';
import { type Draft, layersBody } from './draft.ts';
import type { Effects } from './moves.ts';
import type { Schedule } from './queries.ts';
import type { Gap, Shift } from './schedules.ts';

type NewPreview = {
  readonly data: readonly Shift[];
  readonly coverage: { readonly gap_count: number; readonly gaps: readonly Gap[] };
};

/** The shifts of a schedule that is made now. */
export const newPreviewQuery = ({ layers, timezone }: Draft, { start, end }: Span) =>
  queryOptions({
    queryKey: ['on-calls', 'preview', layers, timezone, start, end],
    queryFn: () =>
      readComputed<NewPreview>('/on-calls/preview', {
        layers: layersBody(layers),
        timezone,
        created_at: new Date(start).toISOString(),
        from: new Date(start).toISOString(),
        to: new Date(end).toISOString(),
      }),
    retryOnMount: false,
  });

/** What making a schedule would do for people: who has no shift. */
export const newEffectsQuery = ({ name, layers, timezone, team_id }: Draft) =>
  queryOptions({
    queryKey: ['on-calls', 'new effects', layers, timezone],
    queryFn: async () => {
      const of = team_id === '' ? {} : { team_id };
      const record = { name: name || '-', timezone, layers: layersBody(layers), ...of };
      const body = { kind: 'oncall_schedule', record };
      return (await readComputed<{ data: Effects }>('/preview', body)).data;
    },
    retryOnMount: false,
  });

type Stored = Pick<Schedule, 'id' | 'uncovered_by_design'>;

/** What saving an edit would change for people. */
export const effectsQuery = (stored: Stored, { name, layers, timezone }: Draft) =>
  queryOptions({
    queryKey: [
      'on-calls',
      stored.id,
      'effects',
      layers,
      timezone,
      name,
      stored.uncovered_by_design,
    ],
    queryFn: async () => {
      const { id, uncovered_by_design: windows } = stored;
      const own = { id, ...(windows && { uncovered_by_design: windows }) };
      const record = { ...own, name, timezone, layers: layersBody(layers) };
      const body = { kind: 'oncall_schedule', record };
      return (await readComputed<{ data: Effects }>('/preview', body)).data;
    },
    retryOnMount: false,
  });
