// A server whose incidents page by mail, and integrations for the programs that tell it.
import { messageOf } from '../../src/engine/log.ts';
import { guideFile } from '../alert-reading.ts';
import type { TestServer } from '../database.ts';
import { eventually } from './eventually.ts';
import { type InProcess, startInProcess } from './in-process.ts';
import { startMailServer } from './notice-servers.ts';
import { mailTo } from './server-process.ts';

export type Scene = AsyncDisposable & {
  readonly pager: InProcess;
  readonly url: string;
  /** Without its scheme. */
  readonly host: string;
  /** Makes an integration, of our own form if nothing else is said; answers its token. */
  token(slug?: string): Promise<string>;
  /** Makes an integration; answers a file of its guide, with its address in it. */
  guideFile(slug: string, file: string): Promise<string>;
  /** A page for it was delivered. */
  paged(title: RegExp): Promise<void>;
  /** The statuses of all incidents, oldest first. */
  statuses(): Promise<string[]>;
  become(...statuses: readonly string[]): Promise<void>;
};

export async function openScene(server: TestServer): Promise<Scene> {
  await using stack = new AsyncDisposableStack();
  const mail = stack.use(await startMailServer());
  const pager = stack.use(await startInProcess(server, mailTo(mail)));
  const { api, url } = pager;
  const [service] = await api.list('services');
  const [policy] = await api.list('escalation-policies');
  const statuses = async () => {
    const incidents: { number: number; status: string }[] = await api.list('incidents');
    return incidents.sort((one, other) => one.number - other.number).map(({ status }) => status);
  };
  const addressOf = async (slug: string): Promise<string> => {
    const ids = { service_id: service.id, escalation_policy_id: policy.id };
    return (await api.create('integrations', { slug, ...ids })).webhook_url;
  };
  const all = stack.move();
  return {
    pager,
    url,
    host: new URL(url).host,
    statuses,
    async token(slug = 'webhook') {
      return /hooks\/([0-9a-f]{40})\//.exec(await addressOf(slug))?.[1] ?? '';
    },
    async guideFile(slug, file) {
      return guideFile(slug, file, { '{url}': await addressOf(slug) });
    },
    async paged(title) {
      try {
        await mail.arrival(`a page about ${title}`, ({ subject }) => title.test(subject));
      } catch (cause) {
        const events =
          await pager.sql`select outcome, reason, body from events order by received_at`;
        throw new Error(`${messageOf(cause)}; events: ${JSON.stringify(events)}`, { cause });
      }
    },
    async become(...wanted) {
      let last: string[] = [];
      await eventually(
        () => `incidents are ${wanted.join(', ')}; they are ${last.join(', ')}`,
        async () => {
          last = await statuses();
          return last.join() === wanted.join();
        },
      );
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
