// How far a new installation is set up, and what is left to do.
import Type from 'typebox';
import { signInChannel } from '../../resources/channels.ts';
import { orNull, word } from '../../resources/declaration/answer.ts';
import { choice, flag, id, objectOf, optional } from '../../resources/declaration/field.ts';
import { roles } from '../../resources/roles.ts';
import type { Queries } from '../../storage/database/database.ts';
import { readSetup, type SetupFacts } from '../../storage/organizations/setup.ts';
import { listContactsOf } from '../../storage/people/contacts.ts';
import type { ProblemOf } from '../contacts/contact-problems.ts';
import { scopeOf } from '../incidents/request.ts';
import type { Caller } from '../route.ts';

const names = [
  'reachable',
  'test_event',
  'time_zone',
  'contact',
  'tool',
  'colleague',
  'schedule',
] as const;
type Name = (typeof names)[number];

/** About the signed-in person, and so not for keys. */
const ownSteps: readonly Name[] = ['reachable', 'contact'];

type Facts = SetupFacts & {
  /** By how many channels something sent to the person leaves the server. */
  readonly ways: number;
};

type Step = {
  readonly needs: (typeof roles)[number];
  readonly isDone: (facts: Facts) => boolean;
};

/** In the order in which they make most sense. Each is done by its effect. */
const steps: Readonly<Record<Name, Step>> = {
  reachable: { needs: 'responder', isDone: ({ ways }) => ways > 0 },
  test_event: { needs: 'manager', isDone: ({ wasPaged }) => wasPaged },
  time_zone: { needs: 'admin', isDone: ({ hasZone }) => hasZone },
  contact: { needs: 'responder', isDone: ({ ways }) => ways > 1 },
  tool: { needs: 'manager', isDone: ({ hasTool }) => hasTool },
  colleague: { needs: 'admin', isDone: ({ hasColleague }) => hasColleague },
  schedule: { needs: 'manager', isDone: ({ hasSchedule }) => hasSchedule },
};

export const setupShape = objectOf(
  {
    steps: Type.Array(
      objectOf({
        name: choice(names, {
          doc: 'reachable: the signed-in person has a verified contact on a channel that is set up. test_event: a page reached that person, or they confirmed a test page. time_zone: someone chose the organization’s time zone. contact: the person has verified contacts on two channels that are set up. tool: an event arrived that was not sent from Pager. colleague: two active people can sign in. schedule: a policy uses an on-call schedule with at least two people.',
        }),
        done: flag({ doc: 'Whether the step is done.' }),
        needs: choice(roles, { doc: 'The role that the step needs.' }),
      }),
      {
        description: 'The setup steps, in order. Only signed-in people have reachable and contact.',
      },
    ),
    integration: optional(
      objectOf(
        {
          id: id('The integration.'),
          slug: word('The type of the integration.'),
          name: word('The name of the integration.'),
        },
        'The first active integration, which can receive a test event. Absent if there is none.',
      ),
    ),
    incident: orNull(Type.Integer(), 'The number of the first incident. Null while there is none.'),
    e_mail: optional(
      word('Why Pager cannot send e-mail, as sentences. Absent if e-mail is set up.'),
    ),
  },
  'The setup progress of the installation, as far as the caller may see it.',
);

type SetupParts = {
  readonly sql: Queries;
  readonly problemOf: ProblemOf;
};

export async function setupOf({ sql, problemOf }: SetupParts, caller: Caller) {
  const userId = caller.kind === 'key' ? null : caller.id;
  const { organizationId } = caller;
  // Whatever the address.
  const mail = problemOf({ channel: signInChannel, address: '' });
  const hasMailServer = mail === null;
  const [known, contacts] = await Promise.all([
    readSetup(sql, scopeOf(caller), { userId, hasMailServer }),
    userId === null ? [] : listContactsOf(sql, { organizationId, userIds: [userId] }),
  ]);
  const usable = contacts.filter((one) => one.verified && problemOf(one) === null);
  const facts = { ...known, ways: new Set(usable.map(({ channel }) => channel)).size };
  const { integration, incident } = facts;
  const shown = names.filter((name) => userId !== null || !ownSteps.includes(name));
  return {
    steps: shown.map((name) => {
      const { needs, isDone } = steps[name];
      return { name, done: isDone(facts), needs };
    }),
    ...(integration && { integration }),
    incident,
    ...(mail !== null && { e_mail: mail }),
  };
}
