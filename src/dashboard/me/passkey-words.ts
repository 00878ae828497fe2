export const words = {
  title: 'Passkeys',
  text: 'Sign in with a fingerprint, your face or a PIN, without password and code.',
  add: 'Add a passkey',
  addText: 'Your browser then lets you choose where it is kept.',
  name: 'Name',
  nameHelp: 'By which you know it again.',
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
    'It no longer signs you in, and your other sessions end. Remove it from your device or password manager too.',
} as const;
