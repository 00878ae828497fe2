import { describeFiles } from './groups.ts';

await describeFiles('api-records');
