import { testSeeds } from './seeds.ts';

testSeeds(700, 500);
