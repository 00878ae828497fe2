// A tool that no type is of, to which tests give the forms that they are about.
export const described = {
  slug: 'pumps',
  name: 'Pumps',
  description: '',
  problem: 'each one',
  guide: { steps: [] },
};

export const about = {
  receivedAt: Temporal.Instant.from('2026-11-21T03:00:00Z'),
  integrationName: 'Pumps',
};
