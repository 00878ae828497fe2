import type { Sql } from '../../storage/database.ts';
import type { Route } from '../route.ts';
import { changeNoticesRoute } from './change-notices.ts';
import { coverageRoute } from './coverage.ts';
import { eventsRoute } from './events.ts';
import { previewRoute } from './preview.ts';
import { revisionsRoute } from './revisions.ts';
import { shiftRoutes } from './shifts.ts';
import { whoRoutes } from './who.ts';

/** Who is on call: of one schedule, of all, of one that is not saved; when nobody is. */
export const oncallRoutes = (sql: Sql): readonly Route[] => [
  ...shiftRoutes(sql),
  ...whoRoutes(sql),
  coverageRoute(sql),
  previewRoute(sql),
  eventsRoute(sql),
  changeNoticesRoute(sql),
  revisionsRoute(sql),
];
