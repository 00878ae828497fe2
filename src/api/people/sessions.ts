import { accessLimits } from '../../limits/access.ts';
import { count, instant } from '../../resources/declaration/answer.ts';
import { flag, id, objectOf, optional, text } from '../../resources/declaration/field.ts';
import { transact } from '../../storage/database/database.ts';
import {
  endOtherSessions,
  endSession,
  listSessions,
  type SessionRow,
} from '../../storage/people/sessions.ts';
import { timeText } from '../../storage/records/rows.ts';
import { pageSchema } from '../answers.ts';
import { Refusal } from '../failures.ts';
import { type Call, ok, type Route } from '../route.ts';
import { deviceOf } from './device.ts';
import { actOf, idIn, type PeopleParts, route } from './writing.ts';

const tag = 'users';

const sessionShape = objectOf(
  {
    id: id('The id of the session.'),
    current: flag({ doc: 'Whether this request uses the session.' }),
    device: optional(
      text({ doc: 'The browser and operating system, according to the user agent.' }),
    ),
    user_agent: optional(text({ doc: 'The user agent at sign-in.' })),
    address: optional(text({ doc: 'The network address at the last use.' })),
    created_at: instant('When the person signed in.'),
    last_used_at: instant('When the session was last used, to the minute.'),
    expires_at: instant('When it ends if it is not used.'),
  },
  'A session of the signed-in person.',
);

export function sessionRoutes(parts: PeopleParts): Route[] {
  const { sql, ids } = parts;
  return [
    route('GET /users/me/sessions', 'viewer', {
      tag,
      doc: 'Lists the sessions of the signed-in person, most recently used first.',
      answers: { status: 200, schema: pageSchema(sessionShape) },
      async handle(call) {
        const { userId, sessionId } = ownIn(call);
        const limit = accessLimits.sessionsListed;
        const rows = await listSessions(sql, { userId, now: call.now, limit });
        return ok({ data: rows.map((row) => rendered(row, sessionId)), next_cursor: null });
      },
    }),
    route('DELETE /users/me/sessions/:session_id', 'viewer', {
      tag,
      doc: 'Ends a session of the signed-in person at once. Ending the current session signs the person out.',
      answers: {
        status: 200,
        schema: objectOf({ id: id('The id of the ended session.') }),
      },
      async handle(call) {
        const { userId } = ownIn(call);
        const session = idIn(call, 'session_id');
        const ending = { act: actOf(call), ids, userId, id: session };
        if (!(await endSession(sql, ending))) throw new Refusal('not_found');
        return ok({ id: session });
      },
    }),
    route('POST /users/me/sessions/end-others', 'viewer', {
      tag,
      doc: 'Ends all sessions of the signed-in person except the current one.',
      answers: {
        status: 200,
        schema: objectOf({ ended: count('The number of ended sessions.') }),
      },
      async handle(call) {
        const { userId, sessionId } = ownIn(call);
        const ending = { act: actOf(call), ids, userId, exceptId: sessionId };
        return ok({ ended: await transact(sql, (tx) => endOtherSessions(tx, ending)) });
      },
    }),
  ];
}

export function ownIn({ caller: { id: userId, sessionId } }: Call) {
  const message = 'API keys have no sessions. Sign in to do this.';
  if (sessionId === undefined) throw new Refusal('not_found', { message });
  return { userId, sessionId };
}

function rendered(row: SessionRow, current: string) {
  const { user_agent, ip_address } = row;
  const device = deviceOf(user_agent ?? '');
  return {
    id: row.id,
    current: row.id === current,
    ...(device !== null && { device }),
    ...(user_agent && { user_agent }),
    ...(ip_address && { address: ip_address }),
    created_at: timeText(row.created_at),
    last_used_at: timeText(row.updated_at),
    expires_at: timeText(row.expires_at),
  };
}
