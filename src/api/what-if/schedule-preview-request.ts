import type { Static } from 'typebox';
import { queryLimits } from '../../limits/queries.ts';
import { listOf, objectOf, optional } from '../../resources/declaration/field.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { overrideInput } from '../../resources/override.ts';
import { timeParam } from '../oncall/params.ts';

const { layers, timezone, uncovered_by_design } = oncallSchedule.fields;

export const previewBody = objectOf({
  layers,
  timezone,
  uncovered_by_design,
  overrides: optional(
    listOf(overrideInput, {
      doc: 'The overrides of the schedule, oldest first. If two overlap, the newer one applies.',
      min: 0,
      max: queryLimits.overrides,
    }),
  ),
  created_at: optional(timeParam('The assumed creation time of the schedule. Default: now.')),
  from: timeParam('The start of the interval (inclusive).'),
  to: timeParam('The end of the interval (exclusive), at most 2 years after from.'),
});

export type PreviewRequest = Static<typeof previewBody> & { readonly timezone: string };
