import Type from 'typebox';
import { whyPaged } from '../../incidents/why/why.ts';
import { instant, word } from '../../resources/declaration/answer.ts';
import { choice, id, objectOf, optional } from '../../resources/declaration/field.ts';
import type { Sql } from '../../storage/database/database.ts';
import { findPerson, type Person, readStory } from '../../storage/incidents/story.ts';
import { invalid } from '../failures.ts';
import { type Call, ok, type Route } from '../route.ts';
import { timeOrNull } from './render.ts';
import { incidentInPath } from './request.ts';

const sources = ['event', 'timeline', 'page', 'attempt'] as const;
const cause = objectOf({
  at: instant('When the cause happened.'),
  text: word('The cause, as a sentence for people.'),
  source: objectOf(
    {
      type: choice(sources, { doc: 'The kind of record that shows the cause.' }),
      id: word(
        'The identifier of that record: the id of an event or timeline entry, the key of a page, or the key and number of an attempt.',
      ),
    },
    'The record that shows the cause.',
  ),
});
const shape = objectOf({
  incident: objectOf(
    {
      id: id('The id of the incident.'),
      number: Type.Integer({ description: 'The number of the incident, as in INC-42.' }),
      title: word('The title of the incident.'),
      status: word('The status of the incident now: triggered, acknowledged or resolved.'),
    },
    'The incident that the answer is about.',
  ),
  user: objectOf(
    {
      id: id('The id of the person that the answer is about.'),
      name: word('The name of that person.'),
    },
    'The person that the answer is about.',
  ),
  paged: Type.Boolean({ description: 'Whether a page to them was delivered.' }),
  answer: word('Why the person was or was not paged, in one sentence.'),
  chain: Type.Array(cause, { description: 'The causes, oldest first.' }),
});

export const whyRoute = ({ sql }: { readonly sql: Sql }): Route => ({
  method: 'GET',
  path: '/incidents/:id/why',
  tag: 'incidents',
  doc: 'Explains why a person was or was not paged for an incident, with each cause.',
  role: 'viewer',
  query: {
    user_id: optional(
      id('The id of the person. Default: the signed-in person. Required for an API key.'),
    ),
  },
  answers: { status: 200, schema: shape },
  async handle(call) {
    const incident = await incidentInPath(sql, call);
    const user = await person(sql, call);
    const { paged, answer, chain } = whyPaged(await readStory(sql, incident, user));
    const { number, title, status } = incident;
    return ok({
      incident: { id: incident.id, number, title, status },
      user,
      paged,
      answer,
      chain: chain.map((one) => ({ ...one, at: timeOrNull(one.at) })),
    });
  },
});

async function person(sql: Sql, { caller, query }: Call): Promise<Person> {
  const path = 'user_id';
  const userId = query[path] ?? (caller.kind === 'session' ? caller.id : null);
  if (userId === null)
    throw invalid([{ path, message: 'is required for requests with an API key' }]);
  const user = await findPerson(sql, caller.organizationId, userId);
  if (!user) throw invalid([{ path, message: 'is not a user' }]);
  return user;
}
