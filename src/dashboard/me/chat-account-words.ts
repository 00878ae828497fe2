export const words = {
  title: 'Chat accounts',
  text: 'By which you act in chats: press buttons there, and use /pager.',
  none: 'None yet. Press a button of a page in the chat, or write /pager link there.',
  byEmail: 'known by your e-mail',
  byLink: 'linked by you',
  in: 'in',
  end: 'End',
  endOf: (name: string) => `End the link of ${name}`,
  link: {
    title: 'Link a chat account',
    question: (name: string, place: string) =>
      `Is ${name || 'the account without a name'} in ${place} yours?`,
    text: 'Whoever uses it there acts in your name from then on. Link it only if you wrote the command or pressed the button yourself, just now.',
    link: 'Link it to me',
    linked: (name: string, place: string) => `${name} in ${place} is linked to you.`,
    linkedText: 'Go back to the chat, and do there what you wanted to do.',
    me: 'My chat accounts',
  },
};
