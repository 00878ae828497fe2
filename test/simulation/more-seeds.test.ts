import { testSeeds } from './seeds.ts';

testSeeds(500, 400);
