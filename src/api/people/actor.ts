import { word } from '../../resources/declaration/answer.ts';
import { choice, id, objectOf } from '../../resources/declaration/field.ts';
import type { Act } from '../../storage/organizations/audit.ts';

/** Who did something. */
export const actorShape = objectOf(
  {
    type: choice(['user', 'key', 'server'], {
      doc: 'The kind of actor: a signed-in person, an API key, or the server and its commands.',
    }),
    id: id('The id of the person or key. For the server, the id of the organization.'),
    name: word('The name of the person, key or command, as it was then.'),
  },
  'The person, the key or the server that did it.',
);

export const renderActor = ({ kind, ...named }: Act['actor']) => ({
  ...named,
  type: kind === 'session' ? 'user' : kind,
});
