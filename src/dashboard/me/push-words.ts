export const words = {
  title: 'Push on this device',
  text: 'Shows pages as browser notifications, even while Pager is closed. Each page goes to all your devices.',
  switchOn: 'Turn on push',
  switchingOn: 'Turning on push…',
  waiting: 'Waiting for this browser…',
  switchOff: 'Turn off push',
  again: 'Send again',
  off: 'Push is off on this device.',
  gone: 'Push has stopped on this device. Turn it on again.',
  sent: 'A notification was sent to this device. Push is on once it arrives.',
  on: 'Push is on.',
  unknown: 'This browser does not support push.',
  home_screen:
    'On an iPhone or iPad, add Pager to the home screen first: press Share, then Add to Home Screen. Open Pager from there and turn on push.',
  denied:
    'You blocked notifications from Pager. Allow them in the browser’s settings for this site, then come back.',
  refused:
    'The browser could not subscribe. It is not allowed to, or it cannot reach its push service.',
  no_worker:
    'The service worker that receives notifications could not start. Reload the page. If that does not help, the browser may block service workers.',
  steps: 'Used when a policy step pages you by push notification.',
} as const;
