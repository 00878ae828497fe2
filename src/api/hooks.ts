// The HTTP door for events: {public url}/hooks/<token>/...
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../engine/clock.ts';
import type { Accepted } from '../engine/deciding/acceptance.ts';
import type { Arrival, full, Intake } from '../engine/deciding/intake.ts';
import { Refusal } from './failures.ts';

/** An integration as its token tells it. */
export type Recognised = Pick<
  Arrival,
  'organizationId' | 'integrationId' | 'slug' | 'integrationName'
>;

type HookOptions = {
  readonly intake: Pick<Intake, 'receive'>;
  readonly recognise: (token: string) => Promise<Recognised | null>;
  readonly clock: Clock;
};

const tokenForm = /^[0-9a-f]{40}$/;
/** Guesses an address may make, a second. */
const unknownTokensPerSecond = 20;
const addressesMax = 10_000;
const textMax = 255;

export function mountHooks(app: FastifyInstance, options: HookOptions): void {
  void app.register((hooks, _options, done) => {
    hooks.removeAllContentTypeParsers();
    // The bytes are kept as they came; what they mean is for the integration type to say.
    hooks.addContentTypeParser(
      '*',
      { parseAs: 'buffer' },
      async (_: unknown, body: Buffer) => body,
    );
    // Fastify refuses what names no type at all (`json`); it counts as unsaid, and the body decides.
    hooks.addHook('onRequest', async (request) => {
      if (request.mediaType === undefined) delete request.headers['content-type'];
    });
    const guesses = createGuessLimit(options.clock);
    const handle = (request: FastifyRequest, reply: FastifyReply) =>
      receive(options, guesses, { request, reply });
    hooks.route({
      method: ['POST', 'PUT', 'GET'],
      url: '/hooks/:token/*',
      // Whoever only looks whether an address answers sends no event.
      exposeHeadRoute: false,
      // No browser shows these answers, and there are many: the headers for browsers stay away.
      helmet: false,
      handler: handle,
    });
    done();
  });
}

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply };

async function receive(options: HookOptions, guesses: GuessLimit, exchange: Exchange) {
  const { request, reply } = exchange;
  const { token, '*': rest } = request.params as { token: string; '*': string };
  const recognised = tokenForm.test(token) ? await options.recognise(token) : null;
  if (!recognised) {
    if (!guesses.allow(request.ip)) throw new Refusal('rate_limited', { retryAfterSeconds: 1 });
    throw new Refusal('not_found', { message: 'There is no integration with this token.' });
  }
  const accepted = await options.intake.receive({
    ...recognised,
    door: 'http',
    path: bounded(`/${rest}`),
    contentType: bounded(request.headers['content-type'] ?? ''),
    body: bodyOf(request),
  });
  if (accepted.type === 'full')
    throw new Refusal('rate_limited', {
      message: 'More events are waiting than can be stored at once; send again.',
      retryAfterSeconds: 1,
    });
  return answer(reply, accepted);
}

/** Tools that can only call an address carry the event in its query. */
function bodyOf(request: FastifyRequest): Uint8Array {
  if (Buffer.isBuffer(request.body) && request.body.length > 0) return request.body;
  const query = request.url.indexOf('?');
  return Buffer.from(query < 0 ? '' : request.url.slice(query + 1));
}

const bounded = (text: string) => text.slice(0, textMax).replaceAll('\0', '').toWellFormed();

function answer(reply: FastifyReply, accepted: Exclude<Accepted, typeof full>) {
  switch (accepted.type) {
    case 'accepted':
      return reply
        .code(202)
        .send({ ok: true, event_id: accepted.eventId, alerts: accepted.alerts });
    case 'unreadable':
      throw new Refusal('unreadable', {
        message: `The event is kept in the log but cannot be read: ${accepted.reason}`,
      });
    case 'archived':
      throw new Refusal('gone');
  }
}

type GuessLimit = { allow(address: string): boolean };

function createGuessLimit(clock: Clock): GuessLimit {
  let second = 0;
  const counts = new Map<string, number>();
  return {
    allow(address) {
      const now = Math.floor(clock.now().epochMilliseconds / 1_000);
      if (now !== second || counts.size > addressesMax) counts.clear();
      second = now;
      const count = (counts.get(address) ?? 0) + 1;
      counts.set(address, count);
      return count <= unknownTokensPerSecond;
    },
  };
}
