// What would happen, or would have happened: nothing is written, and nothing is sent. The previews
// below /on-calls are mounted with the other routes of that path.
import type { Route } from '../route.ts';
import { type ChangePreviewRouteParts, changePreviewRoutes } from './change-preview-routes.ts';
import { replayRoute } from './replay.ts';
import { ruleTestRoutes } from './rule-test.ts';
import { simulateRoute, type WhatIfParts } from './simulate.ts';
import { unreachableStepsRoute } from './unreachable-steps.ts';

export const whatIfRoutes = (parts: WhatIfParts & ChangePreviewRouteParts): Route[] => [
  ...ruleTestRoutes(parts),
  simulateRoute(parts),
  replayRoute(parts),
  ...changePreviewRoutes(parts),
  unreachableStepsRoute(parts),
];
