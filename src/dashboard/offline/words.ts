export const words = {
  unreadable: { title: 'Pager', body: 'A notification could not be read. Open Pager.' },
  signedOut: 'Push is not on yet: sign in to Pager on this device, and switch it on again.',
  unproved: 'Push is not on yet: open Pager on this device, and press Send again.',
  unknown:
    'Pager did not answer: it is not known whether this was done. Press again, or open the incident.',
} as const;
