// Someone asks the other people on a schedule to cover a shift. Its schedule stands in the path.
import type { Static } from 'typebox';
import { choice, id, objectOf, optional } from './declaration/field.ts';
import { overrideComment, overrideTime } from './override.ts';

const user = { to: 'user', within: 'organization' } as const;
const fields = {
  start: overrideTime(
    'When the cover begins (inclusive), with an offset, such as 2026-01-31T09:00:00Z.',
  ),
  end: overrideTime(
    'When the cover ends (exclusive), with an offset, such as 2026-01-31T17:00:00Z.',
  ),
  comment: overrideComment(
    'The reason, which the people who are asked read. The override gets it as its comment.',
  ),
};

export const coverRequestInput = objectOf(
  {
    user_id: optional(
      id('The person whose shift it is. If absent, the person who signed in.', user),
    ),
    ...fields,
  },
  'Asks the other people on the schedule to cover a shift.',
);
export type CoverRequestFields = Static<typeof coverRequestInput>;

export const acceptInput = objectOf(
  {
    user_id: optional(
      id('The person who takes the shift. If absent, the person who signed in.', user),
    ),
  },
  'Who takes the shift.',
);

export const storedRequestStates = ['open', 'accepted', 'withdrawn'] as const;
export type StoredRequestState = (typeof storedRequestStates)[number];
export type CoverRequestState = StoredRequestState | 'expired';

export const coverRequestOutcome = choice([...storedRequestStates, 'expired'], {
  doc: 'open until someone accepts it, it is withdrawn, or its end passes (expired).',
});
