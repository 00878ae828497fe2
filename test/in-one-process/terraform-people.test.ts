import { describeFiles } from './groups.ts';

await describeFiles('terraform-people');
