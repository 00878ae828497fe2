// What would happen, or would have happened: nothing is written, and nothing is sent.
import type { Route } from '../route.ts';
import { replayRoute } from './replay.ts';
import { simulateRoute, type WhatIfParts } from './simulate.ts';

export const whatIfRoutes = (parts: WhatIfParts): Route[] => [
  simulateRoute(parts),
  replayRoute(parts),
];
