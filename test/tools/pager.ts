// A Pager of its own for a monitoring tool: the real program, stopped and started while the tool
// sends, and what it has open compared with what the tool itself says is broken.
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { typeOf } from '../../src/alerts/index.ts';
import { guideFile } from '../alert-reading.ts';
import { type TestServer, testDatabase } from '../database.ts';
import type { Api } from '../system/api-client.ts';
import { eventually } from '../system/eventually.ts';
import { type MailServer, startMailServer } from '../system/notice-servers.ts';
import type { Files } from '../system/program-process.ts';
import { createInstallation, mailTo, type ServerProcess } from '../system/server-process.ts';

/** What is broken: as the tool calls it, and by the dedup key that Pager makes of it. */
export type Broken = { readonly name: string; readonly key: string };

/** A tool that can be asked by itself. */
export type Tool = { broken(): Promise<readonly Broken[]> };

export type Integration = {
  readonly id: string;
  readonly webhookUrl: string;
  readonly emailAddress: string;
  /** What its guide says to save, by name, with its address in it, for a folder of the test. */
  guideFiles(): Files;
};

export type Pager = AsyncDisposable & {
  /** Where it takes mails, after each start. */
  readonly mailPort: number;
  api(): Api;
  /** One that pages the owner by mail, once for each incident. */
  integration(slug: string): Promise<Integration>;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** How many pages about it were delivered. */
  pagesAbout(title: string): number;
  /** Waits until they are as many. */
  paged(title: string, times?: number): Promise<void>;
  /** Of an integration, oldest first. */
  incidents(integration: Integration): Promise<readonly Incident[]>;
  /** Waits until what is open is exactly this, as the tool itself says. */
  agrees(integration: Integration, tool: Tool, ...names: readonly string[]): Promise<void>;
};

export type Incident = {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly status: 'triggered' | 'acknowledged' | 'resolved';
  readonly dedup_key: string;
};

/** A tool retries for longer than a server needs to start. */
const WITHIN_MILLISECONDS = 90_000;

export async function startPager(server: TestServer): Promise<Pager> {
  await using stack = new AsyncDisposableStack();
  const mail = stack.use(await startMailServer());
  const database = stack.use(await testDatabase({ server }));
  const installation = stack.use(
    await createInstallation({ ...mailTo(mail), PAGER_DATABASE_URL: database.url }),
  );
  let running: ServerProcess = await installation.start();
  const api = () => running.api;
  const incidents = (integration: Integration) => incidentsOf(api(), integration);
  const all = stack.move();
  return {
    mailPort: running.mailPort,
    api,
    integration: (slug) => createIntegration(api(), slug),
    incidents,
    async stop() {
      assert.equal(await running.stop(), 0, running.output());
    },
    async start() {
      running = await installation.start();
    },
    pagesAbout: (title) => pagesAbout(mail, title),
    async paged(title, times = 1) {
      await eventually(
        () => `${times} pages about ${title}: ${mail.mails.map(({ subject }) => subject).join()}`,
        () => pagesAbout(mail, title) === times,
        WITHIN_MILLISECONDS,
      );
    },
    agrees: (integration, tool, ...names) =>
      agree({ tool, names, open: async () => (await incidents(integration)).filter(isOpen) }),
    async [Symbol.asyncDispose]() {
      await running.stop();
      await all.disposeAsync();
    },
  };
}

export const isOpen = ({ status }: Incident): boolean => status !== 'resolved';

const pagesAbout = ({ mails }: MailServer, title: string): number =>
  mails.filter(({ subject }) => subject.includes(title) && !subject.startsWith('Resolved:')).length;

async function createIntegration(api: Api, slug: string): Promise<Integration> {
  const [owner] = await api.list('users');
  const [service] = await api.list('services');
  const policy = await api.create('escalation-policies', {
    name: `Once, for ${slug}`,
    steps: [{ targets: [{ via: 'email', user_id: owner.id }] }],
  });
  const ids = { service_id: service.id, escalation_policy_id: policy.id };
  const made = await api.create('integrations', { slug, name: slug, ...ids });
  return {
    id: made.id,
    webhookUrl: made.webhook_url,
    emailAddress: made.email_address,
    guideFiles: () => guideFiles(slug, { '{url}': made.webhook_url }),
  };
}

function guideFiles(slug: string, values: Readonly<Record<string, string>>): Files {
  const snippets = typeOf(slug)?.guide?.snippets ?? [];
  return Object.fromEntries(
    snippets.map(({ file }) => [
      basename(file),
      guideFile(slug, file, values).replaceAll(
        /\/(?:usr\/local\/bin|var\/lib\/monit)\//g,
        '{folder}/',
      ),
    ]),
  );
}

async function incidentsOf(api: Api, { id }: Integration): Promise<readonly Incident[]> {
  const all: (Incident & { source_integration_id: string })[] = await api.list('incidents');
  return all
    .filter((incident) => incident.source_integration_id === id)
    .sort((one, other) => one.number - other.number);
}

type Sides = {
  readonly tool: Tool;
  readonly names: readonly string[];
  readonly open: () => Promise<readonly Incident[]>;
};

/** Each of what is open stands for one thing that is broken, and nothing is open twice. */
async function agree({ tool, names, open }: Sides): Promise<void> {
  let broken: readonly Broken[] = [];
  let incidents: readonly Incident[] = [];
  const isSame = (some: readonly string[], others: readonly string[]) =>
    [...some].sort().join('\n') === [...others].sort().join('\n');
  await eventually(
    () =>
      `broken is ${names.join(', ') || 'nothing'}; the tool says ${JSON.stringify(broken)}; Pager has open ${JSON.stringify(incidents.map(({ dedup_key, title, status }) => ({ dedup_key, title, status })))}`,
    async () => {
      [broken, incidents] = await Promise.all([tool.broken(), open()]);
      const keys = broken.map(({ key }) => key);
      return (
        isSame(
          names,
          broken.map(({ name }) => name),
        ) &&
        isSame(
          keys,
          incidents.map(({ dedup_key }) => dedup_key),
        )
      );
    },
    WITHIN_MILLISECONDS,
  );
}
