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
    'Unknown tokens, keys of other services, API keys and calendar links a second from one address; those that were right once are not delayed',
    '429, by mail 451',
  ),
  lookups: count(
    2,
    'Tokens, keys and links seen for the first time that are looked up at once',
    'They wait',
  ),
  lookupsWaiting: count(1_000, 'Of these, waiting', '429, by mail 451'),
  signInBody: bytes(16 * KIB, 'Body of a sign-in', '413'),
  signInWindow: seconds(300, 'Time in which tried sign-ins are counted', 'The count begins again'),
  signInsPerNetwork: count(50, 'Sign-ins tried in that time, of one network', '429'),
  signInsOfStrangers: count(
    20,
    'Sign-ins tried in that time with one e-mail, by all networks and browsers that never signed in with it',
    '429 for those',
  ),
  signInsFree: count(
    5,
    'Sign-ins tried with one e-mail, of one network or known browser',
    'Each waits twice as long as the one before it',
  ),
  signInWaitFirst: seconds(5, 'The first such wait', '429 until it is over'),
  signInWait: seconds(900, 'The longest such wait', 'Further waits are as long'),
  passwordChanges: count(10, 'Changes of a password tried in that time, of one person', '429'),
  passwordMin: count(8, 'Characters of a password, at least', '422'),
  passwordMax: count(128, 'Characters of a password, at most', '422'),
  signInStepMinutes: minutes(
    10,
    'Time between a password and the code of a second factor',
    'The person gives the password again',
  ),
  factorCodesFree: count(
    5,
    'Codes of a second factor tried in a row, of one person, on all servers together',
    'Each waits as after too many sign-ins; a right code ends that',
  ),
  recoveryCodes: count(10, 'Recovery codes of a person, each good once', 'They are made anew'),
  passkeys: count(20, 'Passkeys of one person', '409'),
  passkeyName: count(100, 'Characters of the name of a passkey, at most', '422'),
  passkeyMinutes: minutes(
    5,
    'Time for adding a passkey, and for signing in by one, from when it is begun',
    '422 or 401; the person begins again',
  ),
  sessionsListed: count(100, 'Sessions of one person that are listed', 'The last used are listed'),
  sessionDays: days(14, 'Time of a session without use', 'The person signs in again'),
  tokenGraceMinutes: minutes(
    1_440,
    'Time for which an integration’s token is accepted after its rotation, unless the rotation sets another',
    '404, by mail 550',
  ),
  tokenGraceMinutesMax: minutes(43_200, 'The time that it may set, at most', '422'),
  previousTokenWarningMinutes: minutes(
    60,
    'Time between two warnings in a server’s log that a token is still used after its rotation',
    'Further uses are not logged',
  ),
  shortTokenLength: count(
    32,
    'First characters of an integration’s token that stand for it, for clients that take no longer keys',
    'All of them, or it is unknown',
  ),
  adoptedKeys: count(50, 'Adopted keys of one integration', '409'),
  adoptedKeyMin: count(8, 'Characters of an adopted key, at least', '422'),
  adoptedKeyMax: count(128, 'Characters of an adopted key, at most', '422'),
  // Fewer could be guessed.
  keyMin: count(24, 'Characters of a chosen API key, at least', 'The start is refused'),
  keyMax: count(
    200,
    'Characters of an API key, at most',
    'The start is refused; of a key that is sent the rest is ignored',
  ),
  secretKeyMin: count(32, 'Characters of the secret key, at least', 'The start is refused'),
  linkDays: days(
    7,
    'Time for which a link acknowledges or resolves, while the person it was sent to is active',
    'Its page shows that it has expired, and nothing is changed',
  ),
  codeMinutes: minutes(15, 'Time for which a code proves a contact', '422'),
  codeTries: count(5, 'Tries of one such code', '422, until another code is requested'),
  codePause: minutes(
    1,
    'Time between two codes for one contact, also if it was removed and added again',
    '429',
  ),
  codesAnHour: count(
    10,
    'Codes requested in an hour, of one person, on all servers together',
    '429',
  ),
  codesToNumber: count(
    5,
    'Codes called or texted to one number in 24 hours, whoever adds it, on all servers together',
    '429',
  ),
  codesOfOrganization: count(
    50,
    'Codes called or texted in 24 hours, of one organisation, on all servers together',
    '429',
  ),
  proofDays: days(
    180,
    'Time since a person last answered through a contact for which it counts as proved',
    'It counts as likely, and is used all the same',
  ),
  testsAnHour: count(
    5,
    'Test pages in an hour to the contacts of one person, on all servers together',
    '429',
  ),
  testsToNumber: count(
    5,
    'Test pages called or texted to one number in 24 hours, whoever requests them, on all servers together',
    '429, with the time when it is possible again',
  ),
  testsOfOrganization: count(
    50,
    'Test pages called or texted in 24 hours, of one organization, on all servers together',
    '429, with the time when it is possible again',
  ),
  invitationDays: days(
    7,
    'Time for which an invitation sets a password, once',
    'Its page shows that it is over',
  ),
  invitationsAnHour: count(10, 'Invitations in an hour, of one person', '429'),
  signInLinkMinutes: minutes(
    15,
    'Time for which a link of `pagerctl sign-in-link` signs in, once',
    'Its page shows that it is no longer valid',
  ),
  resetMinutes: minutes(
    60,
    'Time for which the link of a lost password sets a new one, once',
    'The same',
  ),
  resetsAnHour: count(
    3,
    'Mails for a lost password in an hour, to one e-mail',
    'No further one is sent, and the answer is the same',
  ),
  resetsPerNetwork: count(
    20,
    'Lost passwords reported in the time of tried sign-ins, of one network',
    '429',
  ),
  resetsAtOnce: count(20, 'Lost passwords being looked up and mailed', '429'),
  subscription: bytes(4 * KIB, 'Subscription of a browser to pushes', '422'),
  // A push goes to each at once.
  browsers: count(10, 'Browsers and topics of one person that take pushes', '409'),
  contacts: count(50, 'Contacts of one person', '409'),
  contactLabel: count(100, 'Characters of the label of a contact, at most', '422'),
  connections: count(20, 'Channel connections of one organisation that are active', '409'),
  linkCodeMinutes: minutes(
    15,
    'Time for which a code links a chat to a person, once',
    'The bot answers that the code is not valid',
  ),
  strangerAnHour: count(
    10,
    'Answers in an hour to one who writes to a bot or an app and is unknown',
    'They get none',
  ),
  strangersAnHour: count(
    60,
    'Answers in an hour to all who write to a bot or an app and are unknown, of one organisation',
    'They get none',
  ),
  // Each SMS costs something, and a machine at the other end would answer for ever.
  textAnswerMinutes: minutes(
    60,
    'Time in which an unknown number gets one answer by SMS; also the period of the next limit, on all servers together',
    'Further SMS are not answered',
  ),
  textAnswers: count(
    20,
    'Answers in that time to SMS that change nothing, for one known number; each page to it starts the count again',
    'Further ones get no answer until the next page. An SMS that acts is always answered',
  ),
  replacedSecretHours: hours(
    24,
    'Time for which a replaced secret of a channel connection still verifies what its vendor sends',
    '401',
  ),
  linkCodesAnHour: count(10, 'Such codes requested in an hour, of one person', '429'),
  calendars: count(100, 'Links of calendars of one person or key', '409'),
  calendarBurst: count(
    60,
    'Requests for one calendar at once after a pause; then one a second',
    '429',
  ),
} as const satisfies Limits;

export const accessLimits = valuesOf(access);
