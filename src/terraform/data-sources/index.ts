import type { DataSource } from './data-source.ts';
import { integrationTypes } from './integration-types.ts';
import { team, user } from './people.ts';
import { recordSources } from './records.ts';
import { simulation } from './simulation.ts';

export const dataSources: readonly DataSource[] = [
  integrationTypes,
  simulation,
  user,
  team,
  ...recordSources,
];
