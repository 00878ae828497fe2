import {
  bytes,
  count,
  days,
  hours,
  KIB,
  type Limits,
  minutes,
  seconds,
  valuesOf,
} from './limit.ts';

/** Guesses of secrets, sign-ins, API keys, links and codes. */
export const access = {
  guesses: count(
    20,
    'Unknown tokens, keys of other services, API keys and calendar links per second from one address. Previously valid ones do not count',
    '429. An e-mail gets 451',
  ),
  lookups: count(
    2,
    'Tokens, keys and links that are looked up for the first time, at once',
    'They wait',
  ),
  lookupsWaiting: count(
    1_000,
    'Tokens, keys and links waiting for this lookup',
    '429. An e-mail gets 451',
  ),
  signInBody: bytes(16 * KIB, 'Body of a sign-in request', '413'),
  signInWindow: seconds(300, 'Period in which sign-in attempts are counted', 'The count restarts'),
  signInsPerNetwork: count(50, 'Sign-in attempts in that period from one network', '429'),
  signInsOfStrangers: count(
    20,
    'Sign-in attempts in that period with one e-mail address, from networks and browsers that never signed in with it',
    '429 for these networks and browsers',
  ),
  signInsFree: count(
    5,
    'Sign-in attempts with one e-mail address from one network or known browser, without a wait',
    'Each further attempt waits twice as long as the previous one',
  ),
  signInWaitFirst: seconds(5, 'The first such wait', '429 until it ends'),
  signInWait: seconds(900, 'The longest such wait', 'Further waits stay at this length'),
  passwordChanges: count(10, 'Attempts of one person to change a password in that period', '429'),
  passwordMin: count(8, 'Minimum characters in a password', '422'),
  passwordMax: count(128, 'Maximum characters in a password', '422'),
  signInStepMinutes: minutes(
    10,
    'Time between the password and the code of a second factor',
    'The person must enter the password again',
  ),
  factorCodesFree: count(
    5,
    'Wrong codes of a second factor in a row by one person, on all servers together',
    'Each attempt waits as after too many sign-ins. A correct code ends the wait',
  ),
  recoveryCodes: count(
    10,
    'Recovery codes of a person, each valid once',
    'The person must create new ones',
  ),
  passkeys: count(20, 'Passkeys of one person', '409'),
  passkeyName: count(100, 'Maximum characters in a passkey name', '422'),
  passkeyMinutes: minutes(
    5,
    'Time to add a passkey or to sign in with one',
    '422 or 401. The person must start again',
  ),
  sessionsListed: count(
    100,
    'Sessions of one person that are listed',
    'Only the most recently used are listed',
  ),
  sessionDays: days(14, 'How long an unused session stays valid', 'The person must sign in again'),
  tokenGraceMinutes: minutes(
    1_440,
    'How long an integration’s previous token is accepted after a rotation, unless the rotation sets another time',
    '404. An e-mail gets 550',
  ),
  tokenGraceMinutesMax: minutes(43_200, 'Maximum time that a rotation can set', '422'),
  previousTokenWarningMinutes: minutes(
    60,
    'Interval between warnings in a server’s log that a token is still in use after its rotation',
    'Further uses are not logged',
  ),
  shortTokenLength: count(
    32,
    'First characters of an integration’s token that identify it, for clients that do not accept longer keys',
    'A shorter prefix is unknown',
  ),
  adoptedKeys: count(50, 'Adopted keys of one integration', '409'),
  adoptedKeyMin: count(8, 'Minimum characters in an adopted key', '422'),
  adoptedKeyMax: count(128, 'Maximum characters in an adopted key', '422'),
  apiKeys: count(1_000, 'Active API keys of one organization', '409'),
  // Fewer could be guessed.
  keyMin: count(
    24,
    'Minimum characters in an API key that you choose',
    'The server does not start',
  ),
  keyMax: count(
    200,
    'Maximum characters in an API key',
    'The server does not start. The rest of a key in a request is ignored',
  ),
  secretKeyMin: count(32, 'Minimum characters in the secret key', 'The server does not start'),
  linkDays: days(
    7,
    'How long a link acknowledges or resolves, while its recipient is active',
    'The page shows that the link has expired. Nothing is changed',
  ),
  codeMinutes: minutes(15, 'How long a code verifies a contact', '422'),
  codeTries: count(5, 'Attempts with one code', '422 until another code is requested'),
  codePause: minutes(
    1,
    'Interval between two codes for one contact, even if it was removed and added again',
    '429',
  ),
  codesAnHour: count(
    10,
    'Codes that one person can request in an hour, on all servers together',
    '429',
  ),
  codesToNumber: count(
    5,
    'Codes sent to one phone number in 24 hours, for all people and servers together',
    '429',
  ),
  codesOfOrganization: count(
    50,
    'Codes that one organization sends to phone numbers in 24 hours, on all servers together',
    '429',
  ),
  proofDays: days(
    180,
    'How long a contact counts as proved after a person last responded through it',
    'The contact counts as likely and is still used',
  ),
  testsAnHour: count(
    5,
    'Test pages to the contacts of one person in an hour, on all servers together',
    '429',
  ),
  testsToNumber: count(
    5,
    'Test pages sent to one phone number in 24 hours, for all people and servers together',
    '429 with the time of the next possible attempt',
  ),
  testsOfOrganization: count(
    50,
    'Test pages that one organization sends to phone numbers in 24 hours, on all servers together',
    '429 with the time of the next possible attempt',
  ),
  invitationDays: days(
    7,
    'How long an invitation can set a password, once',
    'The page shows that the invitation has expired',
  ),
  invitationsAnHour: count(10, 'Invitations in an hour to one person', '429'),
  signInLinkMinutes: minutes(
    15,
    'How long a link from `pagerctl sign-in-link` can sign in, once',
    'The page shows that the link is no longer valid',
  ),
  resetMinutes: minutes(
    60,
    'How long a lost-password link can set a new password, once',
    'The same',
  ),
  resetsAnHour: count(
    3,
    'Lost-password e-mails to one address in an hour',
    'No further e-mail is sent, and the response is the same',
  ),
  resetsPerNetwork: count(
    20,
    'Lost-password requests from one network in the period for sign-in attempts',
    '429',
  ),
  keyMails: count(
    10,
    'E-mails to each owner in an hour about API keys that API keys created',
    'No e-mail. The audit log has every key',
  ),
  resetsAtOnce: count(20, 'Lost-password requests being processed', '429'),
  subscription: bytes(4 * KIB, 'Push subscription of a browser', '422'),
  // A push goes to each at once.
  browsers: count(10, 'Browsers and topics of one person that receive pushes', '409'),
  contacts: count(50, 'Contacts of one person', '409'),
  contactLabel: count(100, 'Maximum characters in a contact label', '422'),
  connections: count(20, 'Active channel connections of one organization', '409'),
  linkCodeMinutes: minutes(
    15,
    'How long a code can link a chat to a person, once',
    'The bot replies that the code is invalid',
  ),
  strangerAnHour: count(
    10,
    'Replies in an hour to one unknown sender who writes to a bot or an app',
    'No reply is sent',
  ),
  strangersAnHour: count(
    60,
    'Replies of one organization in an hour to all unknown senders who write to a bot or an app',
    'No reply is sent',
  ),
  strangerTalkAnHour: count(
    1,
    'Replies in an hour to one unknown person who only talks in the thread of a page',
    'No reply is sent',
  ),
  // Each SMS costs something, and a machine at the other end would answer for ever.
  textAnswerMinutes: minutes(
    60,
    'Period in which an unknown number gets one SMS reply, on all servers together. Also the period of the next limit',
    'Further SMS get no reply',
  ),
  textAnswers: count(
    20,
    'Replies in that period to SMS that change nothing, for one known number. Each page to the number restarts the count',
    'Further SMS get no reply until the next page. An SMS that acts always gets a reply',
  ),
  replacedSecretHours: hours(
    24,
    'How long a replaced secret of a channel connection still verifies requests from its vendor',
    '401',
  ),
  linkCodesAnHour: count(10, 'Codes to link a chat that one person can request in an hour', '429'),
  calendars: count(100, 'Calendar links of one person or key', '409'),
  calendarBurst: count(
    60,
    'Requests for one calendar at once after a pause, then one per second',
    '429',
  ),
} as const satisfies Limits;

export const accessLimits = valuesOf(access);
