import { describeFiles } from './groups.ts';

await describeFiles('contracts');
