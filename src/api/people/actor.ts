import { word } from '../../resources/declaration/answer.ts';
import { choice, id, objectOf } from '../../resources/declaration/field.ts';
import type { Act } from '../../storage/audit.ts';

/** Who did something. */
export const actorShape = objectOf(
  {
    type: choice(['user', 'key', 'server'], {
      doc: 'Who did it: a signed-in person, an API key, or the server and its command.',
    }),
    id: id('The id of the person or key; for the server, that of the organisation.'),
    name: word('The name of the person, key or command, as it was then.'),
  },
  'The person, the key or the server that did it.',
);

export const renderActor = ({ kind, ...named }: Act['actor']) => ({
  ...named,
  type: kind === 'session' ? 'user' : kind,
});
