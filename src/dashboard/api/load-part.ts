// Parts of the page that come later. Without a connection they are waited for. One that the server
// does not have any more is of an older build: the page is loaded anew, but once, and never over
// what somebody has typed or sent.
import { isHeard, onHeard } from './connection.ts';
import { isUnsaved } from './open-writes.ts';
import { pager } from './pager.ts';
import { createStore } from './store.ts';

const KEY = 'pager.reloaded';
const ONCE_IN_MS = 60_000;

type Load<Part> = () => Promise<Part>;

/** A page that is gone says so. */
export const loadPage = <Part>(load: Load<Part>): Promise<Part> => loaded(load, true);

/** What stands in place of the part stays when it is gone. */
export const loadPart = <Part>(load: Load<Part>): Promise<Part> => loaded(load, false);

async function loaded<Part>(load: Load<Part>, isPage: boolean): Promise<Part> {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      await pager.client.send({ method: 'GET', path: '/users/me', budget: once });
      if (!isHeard()) await onHeard();
      else if (isUnsaved()) return setGone();
      else if (isFirst()) return reload();
      // By its own message the router would load the page anew once more.
      else if (isPage) throw new Error('a part of the page could not be loaded', { cause: error });
      else return never();
    }
  }
}

const once = { retriesMax: 0, totalMs: 10_000 };
const never = (): Promise<never> => new Promise(() => {});

const isFirst = (): boolean => Date.now() - Number(sessionStorage.getItem(KEY) ?? 0) > ONCE_IN_MS;

function reload(): Promise<never> {
  sessionStorage.setItem(KEY, String(Date.now()));
  location.reload();
  return never();
}

/** Whether something waits for a reload, which would lose what is typed. */
export const isPartGone = createStore(false);

function setGone(): Promise<never> {
  isPartGone.set(true);
  return never();
}
