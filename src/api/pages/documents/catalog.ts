// Which files of the repository are served as documents, at which paths, and how they are listed.
import { readdir, readFile } from 'node:fs/promises';
import { once } from '../../../resources/once.ts';
import {
  type AddressOf,
  openingOf,
  type Rendered,
  renderMarkdown,
  type Section,
  sectionsOf,
} from './markdown.ts';
import { documentsPath, guidesPath } from './paths.ts';

const root = new URL('../../../../', import.meta.url);

/** For whom which files are, as the table in README.md has them. */
const groups: Readonly<Record<string, readonly string[]>> = {
  Start: ['README.md'],
  'For people on call': named(
    ...['dashboard', 'incidents', 'noise', 'contacts', 'channels', 'push', 'pagerctl'],
  ),
  'For team leads': named('on-call', 'routing-rules', 'playbooks', 'simulate', 'preview'),
  'For people who connect tools': named(
    ...['events-in', 'mapping', 'switching', 'webhooks', 'event-stream', 'api'],
  ),
  'For operators': [...named('operating', 'security', 'performance'), 'CHANGELOG.md'],
};

/** Whose files all are listed: these grow with vendors and records. */
const folders: Readonly<Record<string, string>> = {
  'Connect vendors': 'docs/connections',
  'Terraform guides': 'docs/terraform/guides',
  'Terraform resources': 'docs/terraform/resources',
  'Terraform data sources': 'docs/terraform/data-sources',
  'Terraform ephemeral resources': 'docs/terraform/ephemeral-resources',
  'Terraform functions': 'docs/terraform/functions',
};
const terraform = ['docs/terraform/index.md', 'docs/terraform-export.md'];

function named(...names: readonly string[]): string[] {
  return names.map((name) => `docs/${name}.md`);
}

/** Of files whose path does not follow their name. */
const paths: Readonly<Record<string, string>> = {
  'README.md': `${documentsPath}/readme`,
  'CHANGELOG.md': `${documentsPath}/changelog`,
  'docs/terraform-export.md': `${documentsPath}/terraform`,
  'docs/integrations/README.md': guidesPath,
  'docs/openapi.json': '/openapi.json',
};

const pathOf = (file: string): string => paths[file] ?? `/${file.replace(/\.md$/, '')}`;

const samples = 'docs/webhooks';

/** What webhooks send, as files to download, by their paths. Documents link to them. */
export async function readSamples(): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(new URL(samples, root));
  const texts = await Promise.all(
    names.map(async (name) => {
      const file = `${samples}/${name}`;
      return [pathOf(file), await readFile(new URL(file, root), 'utf8')] as const;
    }),
  );
  return new Map(texts);
}

export type Listed = {
  readonly path: string;
  readonly title: string;
  /** Its first sentence; empty if it has none. */
  readonly summary: string;
  /** Rendered when somebody first asks, and kept. */
  readonly rendered: () => Rendered;
  /** Read when somebody first searches, and kept. */
  readonly sections: () => readonly Section[];
};

export type Catalog = readonly { readonly title: string; readonly documents: readonly Listed[] }[];

/** Every document. */
export async function readCatalog(): Promise<Catalog> {
  const ofFolders = await Promise.all(
    Object.entries(folders).map(async ([title, folder]) => [title, await filesIn(folder)] as const),
  );
  const all = [...Object.entries(groups), ['Terraform', terraform] as const, ...ofFolders];
  const documents = new Set(all.flatMap(([, files]) => files));
  return await Promise.all(
    all.map(async ([title, files]) => ({
      title,
      documents: await Promise.all(files.map((file) => read(file, documents))),
    })),
  );
}

async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(new URL(folder, root));
  return names
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `${folder}/${name}`);
}

async function read(file: string, documents: ReadonlySet<string>): Promise<Listed> {
  const markdown = await readFile(new URL(file, root), 'utf8');
  const address: AddressOf = (link) => addressOf(link, file, documents);
  return {
    path: pathOf(file),
    ...openingOf(markdown),
    rendered: once(() => renderMarkdown(markdown, address)),
    sections: once(() => sectionsOf(markdown)),
  };
}

/** Served by others: the guides of integration types, and what webhooks send. */
const served = /^docs\/(integrations\/[\w-]+\.md|webhooks\/[\w.-]+)$/;

/**
 * Links to files that the server does not have as pages, such as decisions, become text: a server may
 * run where the repository cannot be reached, and a link to a 404 page helps nobody.
 */
function addressOf(link: string, from: string, documents: ReadonlySet<string>): string | null {
  if (/^(https?:\/\/|mailto:|#)/i.test(link)) return link;
  const { protocol, pathname, hash } = new URL(link, `file:///${from}`);
  const file = pathname.slice(1);
  const isServed = documents.has(file) || served.test(file) || file in paths;
  return protocol === 'file:' && isServed ? `${pathOf(file)}${hash}` : null;
}
