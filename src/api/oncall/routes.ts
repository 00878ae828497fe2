import type { Route } from '../route.ts';
import { previewRoute } from '../what-if/schedule-preview.ts';
import { changeNoticesRoute } from './change-notices.ts';
import { coverageRoute } from './coverage.ts';
import { eventsRoute } from './events.ts';
import type { OncallParts } from './params.ts';
import { revisionsRoute } from './revisions.ts';
import { shiftRoutes } from './shifts.ts';
import { timelineRoutes } from './timeline.ts';
import { whoRoutes } from './who.ts';

/** Who is on call: of one schedule, of all, of one that is not saved; when nobody is. */
export const oncallRoutes = (parts: OncallParts): readonly Route[] => [
  ...shiftRoutes(parts),
  ...timelineRoutes(parts),
  ...whoRoutes(parts),
  coverageRoute(parts),
  previewRoute(parts),
  eventsRoute(parts.sql),
  changeNoticesRoute(parts.sql),
  revisionsRoute(parts.sql),
];
