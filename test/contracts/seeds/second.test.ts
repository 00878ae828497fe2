import { testSeedsOnPostgres } from '../../simulation/seeds-on-postgres.ts';

await testSeedsOnPostgres(25, 25);
