export const words = {
  title: 'Passkeys',
  text: 'Sign in with your fingerprint, face or PIN instead of a password and code.',
  add: 'Add passkey',
  addText: 'Your browser then asks where to save it.',
  name: 'Name',
  nameHelp: 'Helps you recognize this passkey later.',
  continue: 'Continue',
  added: 'Added',
  neverUsed: 'never used',
  lastUsed: 'Last used',
  synced: 'synced',
  renameOf: (name: string) => `Rename ${name}`,
  remove: 'Remove',
  removeOf: (name: string) => `Remove ${name}`,
  removeTitle: (name: string) => `Remove ${name}?`,
  removeText:
    'You can no longer sign in with it, and your other sessions end. Also remove it from your device or password manager.',
} as const;
