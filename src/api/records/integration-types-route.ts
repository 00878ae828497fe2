// GET /integration-types: what integrations can be made for, and how each is connected.
import Type from 'typebox';
import type { IntegrationType } from '../../alerts/integration-type.ts';
import { objectOf } from '../../resources/declaration/field.ts';
import { ok, type Route } from '../route.ts';

/** What the list has of a type. */
export type ListedType = Pick<
  IntegrationType,
  'slug' | 'name' | 'description' | 'guide_url' | 'guide' | 'knownAs'
>;

const guideShape = objectOf({
  steps: Type.Array(Type.String(), {
    description:
      'What to do, in order. {url} stands for the webhook_url of the integration, {email} for its email_address, {origin} for what stands before /hooks in the first, {token} for its token.',
  }),
  snippets: Type.Array(
    objectOf({
      file: Type.String({ description: 'The file, or the field of a form, that it belongs to.' }),
      text: Type.String({ description: 'The text, with the same places as the steps.' }),
    }),
    { description: 'Configuration to copy.' },
  ),
});

const shape = objectOf({
  data: Type.Array(
    objectOf({
      slug: Type.String({ description: 'What an integration of this type has as its slug.' }),
      name: Type.String({ description: 'The name of the monitoring tool, such as Prometheus.' }),
      description: Type.String({ description: 'What the tool sends, in a sentence for people.' }),
      guide_url: Type.String({
        description: 'The page that says how to connect the tool, below the address of the server.',
      }),
      guide: { ...guideShape, description: 'How the tool is connected, as that page shows it.' },
      known_as: Type.Array(Type.String(), {
        description: 'What other incident services call this type.',
      }),
    }),
    { description: 'All integration types that this server knows.' },
  ),
  next_cursor: Type.Null({ description: 'Always null: all of them are in one answer.' }),
});

export function integrationTypesRoute(types: readonly ListedType[]): Route {
  const data = types.map(({ slug, name, description, guide_url, guide, knownAs = [] }) => ({
    slug,
    name,
    description,
    guide_url,
    guide: { steps: guide.steps, snippets: guide.snippets ?? [] },
    known_as: knownAs,
  }));
  return {
    method: 'GET',
    path: '/integration-types',
    tag: 'integrations',
    role: 'viewer',
    doc: 'Lists the kinds of monitoring tools that integrations can be made for.',
    answers: { status: 200, schema: shape },
    handle: async () => ok({ data, next_cursor: null }),
  };
}
