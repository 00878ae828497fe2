export const words = {
  title: 'Second factor',
  text: 'A code of an app on your phone, besides the password, whenever you sign in.',
  off: 'Off: the password alone signs you in.',
  on: (left: number) =>
    left === 1 ? 'On. 1 recovery code is left.' : `On. ${left} recovery codes are left.`,
  password: 'Password',
  begin: 'Add an app',
  scan: 'Scan this with your app, then type the code that it shows.',
  qr: 'QR code for your app',
  secret: 'Or type this into the app',
  code: 'Code',
  anyCode: 'Code of the app, or a recovery code',
  confirm: 'Confirm',
  codes: 'Recovery codes',
  codesText:
    'Each signs you in once, without the app. Keep them where you have them without your phone: they are not shown again.',
  allCodes: 'All of them',
  done: 'I have kept them',
  renew: 'New recovery codes',
  renewText: 'The old ones are not accepted any more.',
  disable: 'Remove',
  disableText: 'The password alone signs you in again.',
} as const;
