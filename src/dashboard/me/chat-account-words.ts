export const words = {
  title: 'Chat accounts',
  text: 'The chat accounts that you use to press buttons and send /pager commands.',
  none: 'No chat accounts yet. To add one, press a button on a page in a chat, or send /pager link there.',
  byEmail: 'matched by e-mail',
  byLink: 'linked by you',
  in: 'in',
  end: 'Unlink',
  endOf: (name: string) => `Unlink ${name}`,
  link: {
    title: 'Link chat account',
    question: (name: string, place: string) =>
      `Is ${name || 'the unnamed account'} in ${place} yours?`,
    text: 'Anyone who uses this account can then act in your name. Link it only if you just wrote the command or pressed the button yourself.',
    link: 'Link account',
    linked: (name: string, place: string) => `${name} in ${place} is linked to you.`,
    linkedText: 'Go back to the chat and try again.',
    me: 'My chat accounts',
  },
};
