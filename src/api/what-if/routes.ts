// What would happen: nothing is written, and nothing is sent.
import type { Route } from '../route.ts';
import { simulateRoute, type WhatIfParts } from './simulate.ts';

export const whatIfRoutes = (parts: WhatIfParts): Route[] => [simulateRoute(parts)];
