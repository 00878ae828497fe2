import type { NoticeChannel } from '../engine/sending/channel.ts';

type Ways = {
  /** Over the mail server of the environment, or into a folder where there is none. */
  readonly ofServer: NoticeChannel;
  readonly byConnection: NoticeChannel;
  /** Whether an organization has a mail server of its own, which is used. */
  readonly isConnected: (organizationId: string) => Promise<boolean>;
};

/** Mails of an organization leave by its own mail server, if it has one. */
export const byMailServer = ({ ofServer, byConnection, isConnected }: Ways): NoticeChannel => ({
  async send(notice, address, attempt) {
    const way = (await isConnected(notice.organization.id)) ? byConnection : ofServer;
    return way.send(notice, address, attempt);
  },
});
