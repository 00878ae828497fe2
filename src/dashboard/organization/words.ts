export const words = {
  title: 'Organization',
  viewerNote: 'Only admins can change these settings.',
  zoneOffer: (own: string, chosen: string) =>
    `Your browser uses ${own}. The organization uses ${chosen}.`,
  useZone: (zone: string) => `Use ${zone}`,
  zoneFilledIn: (zone: string) => `${zone} is filled in. Save the form to use it.`,
  changes: 'What changes',
  nothing: 'Not set',
  noChannels: 'No channels.',
  addChannel: 'Add channel',
  addChannelOf: (vendor: string) => `Add channel: ${vendor}`,
  channel: (vendor: string, number: number) => `${vendor} channel ${number}`,
} as const;
