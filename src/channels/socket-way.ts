// How a connection is listened to by a socket that Pager holds: whatever ends it is noted.
import type { Ended, Way } from '../engine/listening/listen.ts';
import type { Connection, ListenParts } from './vendor.ts';

export type Introduction =
  | { readonly account: string; readonly reason: null }
  | { readonly account?: never; readonly reason: string };

type SocketWay = {
  /** What the vendor calls the account, or why its credentials are not good. */
  readonly introduce: (connection: Connection) => Promise<Introduction>;
  readonly hold: (held: {
    readonly connection: Connection;
    /** Of its version: a changed connection is another one. */
    readonly key: string;
    readonly signal: AbortSignal;
    /** What people do arrives from now on. */
    readonly greeted: () => void;
  }) => Promise<Ended>;
};

export const socketWay = (
  { open, note, failed }: Pick<ListenParts, 'open' | 'note' | 'failed'>,
  { introduce, hold }: SocketWay,
): Way => ({
  kind: 'socket',
  async hold(listened, signal): Promise<Ended> {
    const refuse = async (reason: string): Promise<Ended> => {
      await note(listened, { reason });
      return { ok: false, reason };
    };
    const connection = await open(listened);
    if (connection === null) return refuse('its secrets cannot be decrypted: set them again');
    const { reason, account } = await introduce(connection);
    if (reason !== null) return refuse(reason);
    const ended = await hold({
      connection,
      key: `${listened.organization_id} ${listened.id} ${listened.version}`,
      signal,
      greeted: () => void note(listened, { reason: null, account }).catch(failed),
    });
    if (!ended.ok) await note(listened, { reason: ended.reason });
    return ended;
  },
});
