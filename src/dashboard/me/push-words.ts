export const words = {
  title: 'Push on this device',
  text: 'Pages as notifications of this browser, also while Pager is closed. All your devices get each.',
  switchOn: 'Switch on push',
  switchingOn: 'Switching on push …',
  waiting: 'Waiting for this browser …',
  switchOff: 'Switch off push',
  again: 'Send again',
  off: 'Push is off on this device.',
  gone: 'Push has ended on this device: switch it on again.',
  sent: 'A push was sent to this device. Push is on as soon as it has arrived.',
  on: 'Push is on.',
  unknown: 'This browser has no pushes, or is too old for them.',
  home_screen:
    'On an iPhone or iPad, put Pager on the home screen first: press Share, then Add to Home Screen. Open Pager from there, and switch push on.',
  denied:
    'You have denied notifications of Pager. Allow them in the settings of the browser for this site, beside its address; then come back.',
  refused:
    'The browser did not subscribe: it was not allowed to, or cannot reach its push service.',
  no_worker:
    'Pager could not set up its service worker, which takes the pushes. Load the page again; if that does not help, the browser may forbid service workers.',
  steps: 'Policies page you by it where a step names you by push notification.',
} as const;
