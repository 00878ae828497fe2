import Type from 'typebox';
import { eventStreamLimits } from '../../limits/event-stream.ts';
import { httpLimits } from '../../limits/http.ts';
import { orNull } from '../../resources/declaration/answer.ts';
import { choice, id, objectOf, optional, text } from '../../resources/declaration/field.ts';
import { hintTypes } from '../../storage/organizations/hints.ts';
import { type Call, ok, type Route } from '../route.ts';
import type { StreamEnd } from './feed.ts';
import type { Feeds } from './feeds.ts';
import { StreamBody } from './stream-body.ts';

const hintShape = objectOf(
  {
    type: choice(hintTypes, { doc: 'The kind of record that changed.' }),
    id: id('The id of the record that changed.'),
    team_id: orNull(
      id('The team that owns it.'),
      'The team that owns the record. Null if it belongs to the whole organization.',
    ),
    version: Type.Integer({
      description:
        'The version of a record, or a number that grows with each change of an incident. A hint may repeat a version when something inside the record changed, such as an override of a schedule.',
    }),
  },
  'The data of a `hint` event: what changed, without its content. The data of a `reset` event is {}: reload everything that you show.',
);

/** The text of the answer, as far as it has come. */
const streamShape = Type.String({
  description:
    'Server-sent events. The data of each `hint` is one JSON object with the schema x-data. The data of a `reset` is {}. Lines that begin with a colon keep the connection open.',
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
  doc: `Streams changes of your teams’ records and incidents as server-sent events. A stream begins with a \`reset\` or, after \`Last-Event-ID\`, with the missed events. It ends after at most ${eventStreamLimits.time} minutes, or when you lose access.`,
  role: 'viewer',
  headers: {
    'Last-Event-ID': optional(
      text({
        doc: 'The id of the last event that you received. Events missed since then are sent first.',
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
