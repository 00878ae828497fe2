// The file behind a calendar's link, for programs that cannot sign in.
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../engine/clock.ts';
import { accessLimits } from '../../limits/access.ts';
import type { CalendarSchedule } from '../../notices/calendar.ts';
import { isCheap } from '../../oncall/effort.ts';
import { scheduleAsOf } from '../../oncall/revisions/history.ts';
import { feedByToken } from '../../storage/calendars/feeds.ts';
import type { Sql } from '../../storage/database/database.ts';
import type { Secrets } from '../../storage/sealed/secrets.ts';
import type { Compute } from '../computing/computer.ts';
import { Refusal } from '../failures.ts';
import { limitGuesses } from '../http/guesses.ts';
import { RateLimit } from '../http/rate-limit.ts';
import { calendarFile } from './calendar-file.ts';
import { readCalendar } from './calendar-read.ts';

export type CalendarFileParts = {
  readonly sql: Sql;
  readonly secrets: Pick<Secrets, 'digest'>;
  readonly clock: Clock;
  readonly publicUrl: string;
  readonly compute: Compute;
};

const tokenForm = /^[0-9a-f]{64}$/;
/** Requests for one calendar by all its clients together: its file is computed for each. */
const readingLimit = { perSecond: 1, burst: accessLimits.calendarBurst };
const freshSeconds = 300;

export function mountCalendars(app: FastifyInstance, parts: CalendarFileParts): void {
  const { sql, secrets, clock, compute } = parts;
  const findFeed = limitGuesses(
    (token) => feedByToken(sql, { digest: secrets.digest(token), now: clock.now() }),
    { clock },
  );
  const readings = new RateLimit(readingLimit);

  app.get('/calendars/:token.ics', async (request, reply) => {
    const { token } = request.params as { token: string };
    const now = clock.now();
    const feed = tokenForm.test(token) ? await findFeed(token, request.ip) : null;
    if (feed === 'too_many') throw new Refusal('rate_limited', { retryAfterSeconds: 1 });
    if (feed === null) throw new Refusal('not_found', { message: 'Calendar not found.' });
    const wait = readings.take(feed.id, now);
    if (wait > 0) throw new Refusal('rate_limited', { retryAfterSeconds: wait });
    const drawing = await readCalendar(parts, feed, now);
    const requester = { organizationId: feed.organizationId, caller: `calendar:${feed.id}` };
    const isHere = isCheap(drawing.schedules.map(scheduleIn), drawing.interval);
    const file = isHere ? calendarFile(drawing) : await compute(requester, 'calendar', drawing);
    return answer(file, { request, reply });
  });
}

const scheduleIn = ({ history }: CalendarSchedule) => scheduleAsOf(history);

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply };

function answer(file: string, { request, reply }: Exchange): FastifyReply {
  const tag = `"${createHash('sha256').update(file).digest('base64url')}"`;
  reply
    .header('etag', tag)
    .header('cache-control', `private, max-age=${freshSeconds}`)
    .header('x-robots-tag', 'noindex');
  if (isKnown(tag, request.headers['if-none-match'])) return reply.code(304).send();
  return reply.header('content-type', 'text/calendar; charset=utf-8').send(file);
}

/** A proxy that packs an answer makes its tag a weak one. */
const isKnown = (tag: string, known = '') =>
  known.split(',').some((each) => ['*', tag].includes(each.trim().replace(/^W\//, '')));
