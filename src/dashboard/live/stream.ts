// One stream for all tabs of a browser, which over HTTP/1.1 has six connections to a server: the tab
// that holds the lock reads it and passes on what it hears. A tab that ends hands the lock on.
import { type Change, changeOf } from './hints.ts';

const NAME = 'pager.event-stream';
const ADDRESS = '/api/v1/events/stream';
/** After a stream that the server has refused. */
const AGAIN_AFTER_MS = 15_000;

type Message =
  | { readonly type: 'changed'; readonly change: Change }
  | { readonly type: 'live'; readonly isLive: boolean }
  /** From a tab that does not know whether anybody reads. */
  | { readonly type: 'joined' };

type Listener = {
  changed(change: Change): void;
  live(isLive: boolean): void;
};

/** Nothing is heard where the page came over plain HTTP, for which browsers have no locks. */
export function followChanges(listener: Listener): void {
  if (!isSecureContext) return;
  const channel = new BroadcastChannel(NAME);
  let isLive = false;
  let isReader = false;

  const hear = (message: Message) => {
    if (message.type === 'changed') listener.changed(message.change);
    else if (message.type === 'live') {
      isLive = message.isLive;
      listener.live(isLive);
    } else if (isReader) channel.postMessage({ type: 'live', isLive });
  };
  const pass = (message: Message) => {
    channel.postMessage(message);
    hear(message);
  };
  const setLive = (next: boolean) => {
    if (isLive === next) return;
    pass({ type: 'live', isLive: next });
  };
  const read = () => {
    const stream = new EventSource(ADDRESS);
    stream.onopen = () => setLive(true);
    stream.addEventListener('hint', ({ data }) =>
      pass({ type: 'changed', change: changeOf(data) }),
    );
    stream.addEventListener('reset', () => pass({ type: 'changed', change: 'everything' }));
    stream.onerror = () => {
      setLive(false);
      if (stream.readyState === EventSource.CLOSED) setTimeout(read, AGAIN_AFTER_MS);
    };
  };

  channel.onmessage = ({ data }: MessageEvent<Message>) => hear(data);
  channel.postMessage({ type: 'joined' } satisfies Message);
  void navigator.locks.request(NAME, () => {
    isReader = true;
    // Whoever read before is gone, and with it what came since.
    setLive(false);
    read();
    // Held until the tab ends.
    return new Promise(() => {});
  });
}
