import { telegram as declaration } from '../../resources/connections/telegram.ts';
import type { Vendor } from '../vendor.ts';
import { clientOf, createTelegram, telegramUrl } from './channel.ts';
import { checkTelegram } from './check.ts';
import { listenOnTelegram } from './listen.ts';

export const telegram: Vendor = {
  declaration,
  baseUrl: telegramUrl,
  check: (way, connection, to) => checkTelegram(clientOf(way, connection), to?.address ?? null),
  send: {
    telegram: (parts) =>
      createTelegram({
        ...parts,
        lost: (chat, loss) => parts.lost({ ...chat, channel: 'telegram' }, loss),
      }),
  },
  listen: listenOnTelegram,
};
