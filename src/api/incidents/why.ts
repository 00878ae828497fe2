import Type from 'typebox';
import { whyPaged } from '../../incidents/why/why.ts';
import { instant, word } from '../../resources/declaration/answer.ts';
import { choice, id, objectOf } from '../../resources/declaration/field.ts';
import type { Sql } from '../../storage/database.ts';
import { findPerson, type Person, readStory } from '../../storage/incidents/story.ts';
import { invalid } from '../failures.ts';
import { type Call, ok, type Route } from '../route.ts';
import { incidentInPath } from './incident-in-path.ts';
import { timeOrNull } from './render.ts';

const sources = ['event', 'timeline', 'page', 'attempt'] as const;
const link = objectOf({
  at: instant('When it happened.'),
  says: word('What happened.'),
  source: objectOf({
    type: choice(sources, { doc: 'Where that is kept.' }),
    id: word('Of an entry or event its id; of a page its key; of an attempt both parts.'),
  }),
});
const shape = objectOf({
  incident: objectOf({
    id: id('The incident.'),
    number: Type.Integer(),
    title: word('Its title.'),
    status: word('As it is now.'),
  }),
  user: objectOf({ id: id('Who it is about.'), name: word('Their name.') }),
  paged: Type.Boolean({ description: 'Whether a page to them was delivered.' }),
  answer: word('Why, or why not, in one sentence.'),
  chain: Type.Array(link, { description: 'What led to it, in order.' }),
});

export const whyRoute = ({ sql }: { readonly sql: Sql }): Route => ({
  method: 'GET',
  path: '/incidents/:id/why',
  tag: 'incidents',
  doc: 'Why somebody was paged for it, or was not, with all that led to that.',
  role: 'viewer',
  query: { user_id: 'Who it is about; absent: who asks.' },
  answers: { status: 200, schema: shape },
  async handle(call) {
    const incident = await incidentInPath(sql, call);
    const user = await person(sql, call);
    const { paged, answer, chain } = whyPaged(await readStory(sql, incident, user));
    const { number, title, status } = incident;
    return ok({
      incident: { id: incident.id, number, title, status },
      user,
      ...{ paged, answer },
      chain: chain.map((one) => ({ ...one, at: timeOrNull(one.at) })),
    });
  },
});

async function person(sql: Sql, { caller, query }: Call): Promise<Person> {
  const path = 'user_id';
  const userId = query[path] ?? (caller.kind === 'session' ? caller.id : null);
  if (userId === null) throw invalid([{ path, message: 'is required of an API key' }]);
  const user = await findPerson(sql, caller.organizationId, userId);
  if (!user) throw invalid([{ path, message: 'is not a user' }]);
  return user;
}
