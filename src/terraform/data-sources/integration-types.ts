import type { Fields } from '../../client/answer.ts';
import { listWhole } from '../../client/pages.ts';
import { computed, computedList, type DataSource } from './data-source.ts';

export const integrationTypes: DataSource = {
  typeName: 'pager_integration_types',
  doc: 'The available integration types.',
  attributes: [
    computedList('types', 'All integration types, by slug.', [
      computed('slug', 'string', 'The value for `slug` of an integration.'),
      computed('name', 'string', 'The name of the monitoring tool.'),
      computed('description', 'string', 'What the tool sends.'),
      computed('guide_url', 'string', 'The page that shows how to connect the tool.'),
    ]),
  ],
  keys: [],
  async find({ client }) {
    const all = await listWhole(client, '/integration-types');
    return all.ok ? { ok: true, value: [{ types: all.value.toSorted(bySlug) }] } : all;
  },
};

const bySlug = (one: Fields, other: Fields) =>
  String(one['slug']) < String(other['slug']) ? -1 : 1;
