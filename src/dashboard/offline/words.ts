export const words = {
  unreadable: { title: 'Pager', body: 'A notification could not be shown. Open Pager to see it.' },
  signedOut: 'Push is not on yet. Sign in to Pager on this device and turn it on again.',
  unproved: 'Push is not on yet. Open Pager on this device and press Send again.',
  unknown: 'Pager did not respond. Press again, or open the incident to see whether it was done.',
} as const;
