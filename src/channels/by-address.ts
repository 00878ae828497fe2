import type { NoticeChannel } from '../engine/sending/channel.ts';

type Ways = { readonly byWebhook: NoticeChannel; readonly byConnection: NoticeChannel };

/** Rooms are reached by the URL of their webhook, or by their id through a connection. */
export const byAddress = ({ byWebhook, byConnection }: Ways): NoticeChannel => ({
  ...byConnection,
  send: (notice, address, attempt) =>
    (URL.canParse(address) ? byWebhook : byConnection).send(notice, address, attempt),
});
