// The setup guides of integration types, below /docs/integrations.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { queryLimits } from '../../../limits/queries.ts';
import type { GuideAddresses } from '../../../resources/guide-addresses.ts';
import { integration as integrationResource } from '../../../resources/integration.ts';
import { mayAct } from '../../../resources/roles.ts';
import type { Records } from '../../../storage/records/records.ts';
import type { StoredRecord } from '../../../storage/records/rows.ts';
import type { Addresses } from '../../records/record-hooks.ts';
import type { Caller } from '../../route.ts';
import { guidesPath } from '../documents/paths.ts';
import { htmlPage } from '../page.ts';
import { type GuidedType, placeholders, typesMatching } from './content.ts';
import { type GuideReader, guideListPage, guidePage } from './pages.ts';

export type GuideParts = {
  readonly types: readonly GuidedType[];
  readonly records: Pick<Records, 'list' | 'read'>;
  readonly identify: (request: FastifyRequest) => Promise<Caller | null>;
  readonly publicUrl: string;
  readonly addresses: Addresses;
};

type SlugPath = { readonly slug: string };
type Chosen = { readonly integration?: unknown };

export function mountGuides(app: FastifyInstance, parts: GuideParts): void {
  const { types } = parts;
  app.get(guidesPath, async ({ query }, reply) => {
    const { q = '' } = query as { readonly q?: unknown };
    const text = String(q).trim();
    const body = guideListPage({ types: typesMatching(types, text), text });
    return htmlPage(reply, { title: 'Integration types', body, width: 'text' });
  });
  app.get(`${guidesPath}/:slug`, async (request, reply) => {
    const { slug } = request.params as SlugPath;
    const type = types.find((one) => one.slug === slug);
    if (type === undefined) {
      const body = guideListPage({ types, text: '', unknown: slug });
      return htmlPage(reply.code(404), { title: 'Integration types', body, width: 'text' });
    }
    const { reader, addresses } = await readingOf(parts, type, request);
    const body = guidePage({ type, reader, addresses, page: request.url });
    return htmlPage(reply, { title: type.name, body, width: 'text' });
  });
}

type GuideReading = { readonly reader: GuideReader; readonly addresses: GuideAddresses };

/** What the guide shows to whoever asks for it. */
async function readingOf(
  { records, identify, publicUrl, addresses: { hooksUrl, emailDomain } }: GuideParts,
  { slug }: GuidedType,
  request: FastifyRequest,
): Promise<GuideReading> {
  const general = placeholders(publicUrl, emailDomain);
  const caller = await identify(request);
  if (caller === null) return { reader: null, addresses: general };
  const { integration: wanted } = request.query as Chosen;
  const limit = queryLimits.pageSize;
  const query = { limit: limit + 1, after: 0, archived: false, filters: { slug } };
  const own = await records.list(integrationResource, query, caller);
  const readable = own.filter((one) => 'fields' in one);
  const record =
    wanted === undefined
      ? undefined
      : await records.read(integrationResource, String(wanted), caller);
  const chosen = record?.fields['slug'] === slug && record.archived_at === null ? record : null;
  const maySeeAddresses = mayAct(caller, 'manager');
  return {
    reader: {
      integrations: readable.slice(0, limit).map(named),
      hasMore: own.length > limit,
      maySeeAddresses,
      chosen: wanted === undefined ? undefined : chosen && named(chosen),
    },
    addresses:
      chosen && maySeeAddresses
        ? {
            url: `${hooksUrl}/${chosen.token}/push-events`,
            email: `${chosen.token}@${emailDomain}`,
          }
        : general,
  };
}

/** As incidents name it. */
const named = ({ id, counter, fields: { name, slug } }: StoredRecord) => ({
  id,
  name: String(name ?? `${slug} integration ${counter}`),
});
