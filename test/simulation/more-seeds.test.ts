import { testSeeds } from './seeds.ts';

testSeeds(600, 600);
