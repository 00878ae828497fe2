import { testSeedsOnPostgres } from '../../simulation/seeds-on-postgres.ts';

await testSeedsOnPostgres(0, 25);
