// In a run of everything the files of each group share one process, that of the test of its name in
// this folder. Loading and first starting the server is most of what a file of few tests costs. A
// file that is in no group has a process of its own.
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'node:test';

const root = join(import.meta.dirname, '..', '..');

const GROUPS = {
  alerts: 'src/alerts/**/*.test.ts',
  // They reach no server and no database, as those of `alerts`.
  pure: 'src/{admission,channels,commands,dashboard,engine,incidents,limits,notices,oncall,replies,resources,rules,shifts,terraform,what-if,workers}/**/*.test.ts',
  'api-people': 'src/api/{contacts,incidents,people,sign-in}/**/*.test.ts',
  'api-records': 'src/api/{http,oncall,records}/**/*.test.ts',
  storage: 'src/storage/**/*.test.ts',
  stories: 'test/stories/**/*.test.ts',
  // Of those that run in `test/system` the files whose servers are inside the test. The others start
  // the program, whose own process loads the server.
  'system-calls':
    'test/system/{acknowledged-everywhere,channel-health,mail-server,ntfy,push,sns,twilio,twilio-without-address}.test.ts',
  'system-chats':
    'test/system/{chat-channels,keys-in-calls,mail-bounces,mail-folder,mail-replies,msteams,slack,slack-threads}.test.ts',
  'system-clocks':
    'test/system/{clock-jumps,differing-clocks,fail-over,faults,killed-sender,shift-matrix,two-servers}.test.ts',
  'system-events':
    'test/system/{alertmanager,canary,event-stream,every-tool,failing-webhook,handoff,slow-events,upgraded-keys}.test.ts',
  'system-people':
    'test/system/{links,people,rename,rotate-token,rules,slow-lists,tenancy}.test.ts',
  'system-vendors':
    'test/system/{discord,telegram,twilio-whatsapp,unsubscribe,vendor-down,vendor-trouble,whatsapp}.test.ts',
  'system-webhooks':
    'test/system/{dialects,hostile-webhooks,incident-webhooks,paced-calls,paced-chats,shift-webhooks,webhook-rotation}.test.ts',
  terraform:
    'test/terraform/{adoption,dashboard,effects,examples,export,import,log,managed-by,oncall-now,organization,teams}.test.ts',
  'terraform-calls':
    'test/terraform/{data-sources,failures,integration-keys,integration-mappings,integration-token,overrides,records,refresh,token-version,write-only}.test.ts',
  'terraform-people':
    'test/terraform/{api-keys,confined-key,organization-settings,people,schedule-notifications,team-memberships}.test.ts',
  'terraform-plans':
    'test/terraform/{moves,plan-errors,reachable-by,unconfirmed,unknowns,webhook-secret}.test.ts',
  // The other ones add to the lists of kinds and vendors of their process.
  contracts:
    'test/contracts/{channel-names,fail-over,posted,receipts,shift-cursors,shift-notices,two-processes,vendors}.test.ts',
  others:
    'src/{*.test.ts,{client,server}/**/*.test.ts,api/*.test.ts,api/!(contacts|incidents|people|sign-in|http|oncall|records)/**/*.test.ts}',
} as const;

export const IN_ONE_PROCESS: readonly string[] = Object.values(GROUPS);

/** A suite for each of its files, so that its hooks are its own. */
export async function describeFiles(group: keyof typeof GROUPS): Promise<void> {
  const files = (await Array.fromAsync(glob(GROUPS[group], { cwd: root }))).sort();
  if (files.length === 0) throw new Error(`there are no tests at ${GROUPS[group]}`);
  for (const file of files) describe(file, () => import(join(root, file)));
}
