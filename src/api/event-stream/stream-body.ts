import type { ServerResponse } from 'node:http';
import { eventStreamLimits } from '../../limits/event-stream.ts';
import type { Call } from '../route.ts';
import type { Feed, StreamEnd } from './feed.ts';
import type { Feeds } from './feeds.ts';

type Following = {
  readonly feeds: Feeds;
  readonly feed: Feed;
  readonly ended?: (why: StreamEnd) => void;
};

type StreamCall = Pick<Call, 'caller' | 'now' | 'lastEventId' | 'signal'>;

/** The body of an answer that is written as long as its reader listens. */
export class StreamBody {
  readonly #call: StreamCall;
  readonly #following: Following;

  constructor(call: StreamCall, following: Following) {
    this.#call = call;
    this.#following = following;
  }

  /** Its headers are sent. */
  start(raw: ServerResponse): void {
    const { caller, now, lastEventId, signal } = this.#call;
    const { feeds, feed, ended } = this.#following;
    let end: StreamEnd = 'reader';
    const reader = {
      caller,
      beganAt: now,
      sentAt: now,
      send(text: string) {
        if (raw.writableEnded || raw.destroyed) return;
        if (raw.writableLength > eventStreamLimits.buffer) this.end('slow');
        else raw.write(text);
      },
      end(why: StreamEnd) {
        if (raw.writableEnded || raw.destroyed) return;
        end = why;
        // Who has not read what was sent is not waited for.
        if (raw.writableLength > 0) raw.destroy();
        else raw.end();
      },
    };
    const gone = () => {
      feeds.leave(feed, reader);
      ended?.(end);
    };
    signal.addEventListener('abort', gone, { once: true });
    if (signal.aborted) gone();
    else feeds.begin(feed, reader, lastEventId);
  }
}
