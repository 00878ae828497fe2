// docs/integrations and the logos of tools, made from the declarations of integration types.
import * as icons from 'simple-icons';
import type { IntegrationType } from '../src/alerts/integration-type.ts';
import { alsoUnderstood, placeholders } from '../src/api/pages/guides/content.ts';
import { withAddresses } from '../src/resources/guide-addresses.ts';

const folder = 'docs/integrations';

/** By their paths. */
export function integrationPapers(types: readonly IntegrationType[]): Record<string, string> {
  return {
    ...Object.fromEntries(types.map((type) => [`${folder}/${type.slug}.md`, pageOf(type)])),
    [`${folder}/README.md`]: listOf(types),
    'src/api/pages/logos.svg': spriteOf(types),
  };
}

const ways =
  'On a server, `/docs/integrations/<slug>` shows each guide with the addresses of your integrations filled in, and `GET /api/v1/integration-types` returns all of them as data. [events-in.md](../events-in.md) explains how events are read.';

function listOf(types: readonly IntegrationType[]): string {
  const rows = types.map(
    ({ slug, name, description }) =>
      `| [${inTable(name)}](${slug}.md) | \`${slug}\` | ${inTable(description)} |`,
  );
  return [
    '# Integration types',
    'The `slug` of an integration is one of these. Tools that are not in the list can send JSON to [`webhook`](webhook.md) or e-mail to [`email`](email.md).',
    ['| Tool | Slug | Sends |', '|---|---|---|', ...rows].join('\n'),
    `${ways}\n`,
  ].join('\n\n');
}

const inTable = (text: string) => inProse(text).replaceAll('|', '\\|');

function pageOf(type: IntegrationType): string {
  const { slug, name, description, guide } = type;
  const steps = guide.steps.map((step, index) => `${index + 1}. ${filled(step)}`);
  const snippets = (guide.snippets ?? []).flatMap(({ file, text }) => [
    `\`${file}\`:`,
    fenced(languageOf(file), withAddresses(text, placeholders())),
  ]);
  return [
    `# ${inProse(name)}`,
    inProse(description),
    `Its slug is \`${slug}\`. On a server, \`/docs/integrations/${slug}\` shows this guide with the addresses of your integrations filled in.`,
    steps.join('\n'),
    ...snippets,
    ...(guide.notes?.length
      ? ['## Notes', guide.notes.map((note) => `- ${filled(note)}`).join('\n')]
      : []),
    '## Create the integration',
    creating(type),
    '## Other supported input',
    alsoUnderstood(type)
      .map((text) => `- ${filled(text)}`)
      .join('\n'),
    `[events-in.md](../events-in.md) explains how events are read. See the [list](README.md) of all types.\n`,
  ].join('\n\n');
}

/** In the browser, in Terraform and by the API. */
const creating = ({ slug, name }: IntegrationType): string =>
  [
    `In the dashboard, open *Integrations*, press *Create integration* and choose *${inProse(name)}*. *Setup* then shows this guide with its addresses, and waits for the first event.`,
    'In Terraform, use [`pager_integration`](../terraform/resources/integration.md):',
    fenced(
      'terraform',
      `resource "pager_integration" "${slug.replaceAll('-', '_')}" {
  slug                 = "${slug}"
  name                 = "${name}"
  service_id           = pager_service.checkout.id
  escalation_policy_id = pager_escalation_policy.checkout.id
}`,
    ),
    'With the API, where `$API` and `$KEY` are as in the [README](../../README.md#page-in-two-steps):',
    fenced(
      'sh',
      `curl -s "$API/integrations" -H "x-api-key: $KEY" -H 'content-type: application/json' \\
  -d '{"slug": "${slug}", "service_id": "'$SERVICE'", "escalation_policy_id": "'$POLICY'"}'`,
    ),
  ].join('\n\n');

const filled = (text: string): string =>
  withAddresses(inProse(text), placeholders(), (value) => `\`${value}\``);

/** Nothing in it is markup. */
const inProse = (text: string): string =>
  text.replace(/[\\`*<>[\]]|(?<!\w)_|_(?!\w)/g, (one) => `\\${one}`);

const languages: Readonly<Record<string, string>> = { yml: 'yaml' };
const known = ['yaml', 'json', 'sh', 'xml', 'ini'];

function languageOf(file: string): string {
  const [, ending = ''] = /\.(\w+)$/.exec(file) ?? [];
  const language = languages[ending] ?? ending;
  return known.includes(language) ? language : 'text';
}

function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** A symbol for each type whose logo simple-icons has, by slug. */
function spriteOf(types: readonly IntegrationType[]): string {
  const all = new Map(
    Object.values(icons).flatMap((icon) => ('path' in icon ? [[icon.slug, icon.path]] : [])),
  );
  const symbols = types.flatMap(({ slug, logo }) => {
    if (logo === undefined) return [];
    const path = all.get(logo);
    if (path === undefined)
      throw new Error(`simple-icons has no logo ${logo}, which ${slug} names`);
    return [`<symbol id="${slug}" viewBox="0 0 24 24"><path d="${path}"/></symbol>`];
  });
  return [
    '<!-- Of simple-icons (CC0-1.0), by npm run generate; the marks are those of their owners. -->',
    '<svg xmlns="http://www.w3.org/2000/svg">',
    ...symbols,
    '</svg>\n',
  ].join('\n');
}
