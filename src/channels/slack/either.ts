import type { NoticeChannel } from '../../engine/sending/channel.ts';

type Chats = { readonly byWebhook: NoticeChannel; readonly byApp: Required<NoticeChannel> };

/** Slack's channels are reached by their webhook's URL, or by their id through an app. */
export function slackByAddress({ byWebhook, byApp }: Chats): NoticeChannel {
  return {
    threads: true,
    send: (notice, address, attempt) =>
      (URL.canParse(address) ? byWebhook : byApp).send(notice, address, attempt),
    show: (notice, posted, difference) => byApp.show(notice, posted, difference),
    comment: (notice, posted) => byApp.comment(notice, posted),
  };
}
