import { describeFiles } from './groups.ts';

await describeFiles('system-webhooks');
