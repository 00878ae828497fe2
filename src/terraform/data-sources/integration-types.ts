import type { Fields } from '../../client/answer.ts';
import { notPager } from '../../client/pages.ts';
import { isObject } from '../../resources/declaration/validate.ts';
import { computed, type DataSource } from './data-source.ts';

export const integrationTypes: DataSource = {
  typeName: 'pager_integration_types',
  doc: 'The available integration types.',
  attributes: [
    {
      name: 'types',
      description: 'All integration types, by slug.',
      set: 'computed',
      isSensitive: false,
      shape: {
        nesting: 'list',
        attributes: [
          computed('slug', 'string', 'The value for `slug` of an integration.'),
          computed('name', 'string', 'The name of the monitoring tool.'),
          computed('description', 'string', 'What the tool sends.'),
          computed('guide_url', 'string', 'The page that shows how to connect the tool.'),
        ],
      },
    },
  ],
  keys: [],
  async find({ client }) {
    const answer = await client.send({ method: 'GET', path: '/integration-types' });
    if (!answer.ok) return answer;
    const { data } = answer.body;
    if (!Array.isArray(data) || !data.every(isObject)) return notPager(client, 'no list');
    return { ok: true, value: [{ types: data.toSorted(bySlug) }] };
  },
};

const bySlug = (one: Fields, other: Fields) =>
  String(one['slug']) < String(other['slug']) ? -1 : 1;
