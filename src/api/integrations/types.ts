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
      'The steps, in order. Placeholders: {url} is the webhook_url of the integration, {email} its email_address, {origin} the part of webhook_url before /hooks, {origin_scheme} and {origin_host} the parts of that, and {token} its token.',
  }),
  snippets: Type.Array(
    objectOf({
      file: Type.String({ description: 'The file or form field for the text.' }),
      text: Type.String({ description: 'The text, with the same placeholders as the steps.' }),
    }),
    { description: 'Configuration to copy, and a command that sends a first event.' },
  ),
  notes: Type.Array(Type.String(), {
    description: 'More about the tool, with the same placeholders as the steps.',
  }),
});

const shape = objectOf({
  data: Type.Array(
    objectOf({
      slug: Type.String({ description: 'The slug of an integration of this type.' }),
      name: Type.String({ description: 'The name of the monitoring tool, such as Prometheus.' }),
      description: Type.String({ description: 'What the tool sends, as a sentence.' }),
      guide_url: Type.String({
        description: 'The path of the setup guide on this server.',
      }),
      guide: { ...guideShape, description: 'The setup guide of the tool.' },
      known_as: Type.Array(Type.String(), {
        description: 'The names of this type in other incident services.',
      }),
    }),
    { description: 'All integration types that this server knows.' },
  ),
  next_cursor: Type.Null({ description: 'Always null: the response contains all types.' }),
});

export function integrationTypesRoute(types: readonly ListedType[]): Route {
  const data = types.map(({ slug, name, description, guide_url, guide, knownAs = [] }) => ({
    slug,
    name,
    description,
    guide_url,
    guide: { steps: guide.steps, snippets: guide.snippets ?? [], notes: guide.notes ?? [] },
    known_as: knownAs,
  }));
  return {
    method: 'GET',
    path: '/integration-types',
    tag: 'integrations',
    role: 'viewer',
    doc: 'Lists the available integration types.',
    answers: { status: 200, schema: shape },
    handle: async () => ok({ data, next_cursor: null }),
  };
}
