import { text } from '../declaration/field.ts';
import type { Vendor } from './vendor.ts';

export const telegram = {
  vendor: 'telegram',
  title: 'Telegram',
  doc: 'A Telegram bot that pages people in their chat with it.',
  channels: ['telegram'],
  channelsOf: () => ['telegram'],
  receive: 'poll',
  settings: {},
  secrets: {
    bot_token: text({
      doc: 'The bot token from @BotFather, such as 123456789:AAE….',
      max: 100,
      pattern: '^[0-9]{1,20}:[A-Za-z0-9_-]{30,80}$',
      sensitive: true,
    }),
  },
  check: [],
  setup: {
    title: 'How to get a bot',
    link: { href: 'https://t.me/BotFather', text: 'Open @BotFather in Telegram' },
    steps: [
      'Send /newbot, then a name for it, such as “Pager of Example”, and a username that ends in “bot”.',
      'Copy the token from its reply into this form.',
    ],
    note: 'Use the bot only for Pager. If another program reads its messages, Pager does not receive them.',
  },
  accountText: (account) => `@${account}`,
  linkUrl: (account, code) => `https://t.me/${account}?start=${code}`,
  linkText: (code) => `/start ${code}`,
  accountAt: 'secrets.bot_token',
  // Before the colon stands the id of the bot.
  accountIdOf: ({ secrets: { bot_token } }) => bot_token?.split(':')[0] ?? null,
} as const satisfies Vendor;
