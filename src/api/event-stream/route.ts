import Type from 'typebox';
import { eventStreamLimits } from '../../limits/event-stream.ts';
import { httpLimits } from '../../limits/http.ts';
import { orNull } from '../../resources/declaration/answer.ts';
import { choice, id, objectOf, optional, text } from '../../resources/declaration/field.ts';
import { hintTypes } from '../../storage/hints.ts';
import { type Call, ok, type Route } from '../route.ts';
import type { StreamEnd } from './feed.ts';
import type { Feeds } from './feeds.ts';
import { StreamBody } from './stream-body.ts';

const hintShape = objectOf(
  {
    type: choice(hintTypes, { doc: 'The kind of what changed.' }),
    id: id('The id of what changed.'),
    team_id: orNull(
      id('The team that owns it.'),
      'The team that owns it; null for what belongs to the whole organisation.',
    ),
    version: Type.Integer({
      description:
        'Of a record its version; of an incident a number that grows with each change. A hint may repeat one: something below the record changed, such as an override of a schedule.',
    }),
  },
  'What changed, and nothing of what is in it: the data of an event `hint`. An event `reset` has the data {}: read anew all that you show.',
);

/** The text of the answer, as far as it has come. */
const streamShape = Type.String({
  description:
    'Server-sent events: each `hint` has one JSON object as its data, whose schema is x-data; a `reset` has {}. Lines that begin with a colon keep the connection open.',
  pattern: '^(?:id: \\S+\\nevent: (?:hint|reset)\\ndata: \\{.*\\}\\n\\n|:\\n\\n)*$',
  'x-data': hintShape,
});

export type EventStreamParts = {
  readonly feeds: Feeds;
  readonly ended?: (why: StreamEnd) => void;
};

export const eventStreamRoute = (parts: EventStreamParts): Route => ({
  method: 'GET',
  path: '/events/stream',
  tag: 'event_stream',
  doc: `Tells what changes, as server-sent events: hints about records and incidents of your teams. A stream begins with a \`reset\`, or after \`Last-Event-ID\` with what was missed; it ends after ${eventStreamLimits.time} minutes at most, and when you may no longer read it.`,
  role: 'viewer',
  headers: {
    'Last-Event-ID': optional(
      text({
        doc: 'The id of the last event of an earlier stream: what was missed since then is sent first.',
        max: httpLimits.pathPart,
        pattern: '^[!-~]+$',
      }),
    ),
  },
  answers: { status: 200, schema: streamShape, mediaType: 'text/event-stream' },
  handle: async (call: Call) => {
    const { feeds, ended } = parts;
    const place = feeds.enter(call.caller);
    const leave = () => place[Symbol.dispose]();
    call.signal.addEventListener('abort', leave, { once: true });
    if (call.signal.aborted) leave();
    const feed = await feeds.follow(call.caller.organizationId);
    return ok(new StreamBody(call, { feeds, feed, ...(ended && { ended }) }));
  },
});
