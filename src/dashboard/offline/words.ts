export const words = {
  unreadable: { title: 'Pager', body: 'A notification could not be read. Open Pager.' },
  unproved: 'Push is not on yet: sign in to Pager on this device, and switch it on again.',
  notSent: 'Nothing was done: Pager does not answer. Press again, or open the incident.',
} as const;
