import {
  bytes,
  count,
  days,
  hours,
  KIB,
  type Limits,
  MIB,
  milliseconds,
  minutes,
  percent,
  seconds,
  valuesOf,
} from './limit.ts';

/** How pages, other notices and webhook calls are sent. */
export const sending = {
  underWay: count(
    512,
    'Notices sent at once. One organisation has at most as many as are left for the others: half of all while nobody else sends',
    'They wait',
  ),
  // A slow channel leaves room for the others.
  ofChannel: percent(
    75,
    'Of these, by one channel, and calls of outbound webhooks; of those one organisation has half at most',
    'They wait; other channels continue',
  ),
  // The operator's mail server takes a few at once; the rest waits for it, and leaves in time.
  mails: count(128, 'Of these, by e-mail', 'They wait'),
  // At one in a second, the last of them has its turn well within its lease.
  ofLane: count(
    20,
    'Of these, of one organisation by phone, and as many by SMS, which vendors take at a pace',
    'They wait',
  ),
  ofRecipient: count(4, 'Of these, to one recipient', 'They wait; other recipients do not'),
  ofQuickRecipient: count(32, 'Of these, to one recipient that answers quickly', 'They wait'),
  extra: count(64, 'Of these, to quick recipients beyond the limit of the others', 'They wait'),
  quickTime: milliseconds(250, 'Time of an answer that counts as quick', 'It counts as slow'),
  quickAnswers: count(
    8,
    'Quick answers in a row after which a recipient counts as quick',
    'It counts as quick until an answer is slow',
  ),
  // Longer than any channel may take.
  lease: seconds(
    60,
    'Time for which a claimed notice belongs to the server that sends it',
    'Another server sends it, perhaps once more',
  ),
  // Longer than a vendor waits for something to happen, and the time to handle it.
  listenerLease: seconds(
    90,
    'Time for which a connection that is polled belongs to one server',
    'Another server polls it',
  ),
  // Ended by Slack after three seconds.
  slackAcknowledge: milliseconds(
    2_000,
    'Time after which what somebody does in Slack is acknowledged, although it is not done yet',
    'Its result is shown when there is one',
  ),
  slackEnvelopes: count(
    32,
    'Presses and commands of one Slack workspace that are handled at once',
    'They wait',
  ),
  slackSeen: count(
    500,
    'Presses and commands of one Slack workspace that are remembered, so that none is done twice',
    'The oldest are forgotten',
  ),
  slackCommand: count(2_000, 'Characters of a command in Slack', 'Cut'),
  slackName: count(100, 'Characters of the name of somebody in Slack', 'Cut'),
  chatChannelsPage: count(200, 'Channels of a workspace that are read at once', 'Read next'),
  chatChannelsPages: count(
    250,
    'Times that channels of one workspace are read in a row',
    'Channels beyond them are found by their id',
  ),
  // Slack takes 20 such calls a minute.
  chatChannelsPause: seconds(
    4,
    'Wait before the next channels of a workspace are read',
    'Read then',
  ),
  chatChannelsAnew: hours(
    1,
    'Time between two readings of all channels of a workspace',
    'Read then',
  ),
  chatChannelsFailed: seconds(
    300,
    'Wait before channels that could not be read are read again, unless the vendor names another',
    'Read then',
  ),
  chatChannelsLease: seconds(
    60,
    'Time for which a server has to read channels of a workspace',
    'Another server reads them',
  ),
  chatChannelsListed: count(50, 'Channels that a search finds', 'A longer text finds others'),
  chatChannelsFetched: count(
    30,
    'Channels that are not in the list and that a server asks a vendor for by their id, a minute, of an organisation',
    '429',
  ),
  socketPing: milliseconds(
    10_000,
    'Time between two pings of a socket to a vendor',
    'A socket that answers none is opened anew',
  ),
  telegramPoll: seconds(
    50,
    'Time for which Telegram is requested to wait for news',
    'Polled again',
  ),
  smsPoll: seconds(
    10,
    'Time between two polls of Twilio for SMS that people have sent, where it cannot call Pager',
    'Polled then',
  ),
  smsPollHours: hours(
    24,
    'Time after the end of an incident that was paged by SMS in which Twilio is polled',
    'SMS are read once an incident is paged by SMS again, if they are no older than that',
  ),
  // Longer than Twilio takes to list what it has received, and than clocks differ.
  smsPollOverlap: seconds(
    300,
    'Time before the last SMS that was read from which on SMS are listed again',
    'What Twilio lists later is not read',
  ),
  smsPollPage: count(100, 'SMS that are listed at once', 'Listed next'),
  smsPollPages: count(4, 'Times that SMS are listed in one poll', 'Older ones are not read'),
  textLate: seconds(
    120,
    'Time after which an SMS, or a text in Telegram, that names no incident acts on none, as it may have been about another',
    'The answer asks for the number of the incident',
  ),
  checkEvery: minutes(
    60,
    'Time between two checks of the credentials of a connection, or of the mail server',
    'Checked again',
  ),
  checkFailingEvery: minutes(2, 'The same of one that is degraded or failing', 'Checked again'),
  // Each takes some requests of as long as a vendor may take.
  checkLease: seconds(
    60,
    'Time for which a check belongs to one server',
    'Another server checks, too',
  ),
  checksOfVendor: count(
    8,
    'Checks of connections to one vendor at once, by one server',
    'They wait',
  ),
  connectionFailing: minutes(
    10,
    'Time for which a connection or a built-in channel may fail',
    'Admins are notified, once a day at most',
  ),
  circuitFailures: count(
    5,
    'Failures of a vendor by one connection, within the time below, after which other connections for the same channel are used first',
    'Those that count are provider trouble: no answer, an error of the vendor’s, or credentials and settings that it refuses',
  ),
  circuitWindow: seconds(120, 'Time within which they count together', 'They are forgotten'),
  circuitOpen: seconds(
    60,
    'Time for which the other connections are used first',
    'One page tries it again: it is used as before, or the time begins anew',
  ),
  // As long as the lease of the notice that tries.
  circuitProbe: seconds(60, 'Time for the page that tries', 'Another one tries'),
  editTurnWait: seconds(
    2,
    'Time for which a change of a message outside waits for its turn at the vendor',
    'Tried again, without having been sent',
  ),
  // With the call itself it ends before the lease does.
  turnWait: seconds(
    30,
    'Time for which a call, SMS, push or message in a chat waits for its turn at the vendor',
    'Tried again, without having been sent',
  ),
  retryWait: seconds(
    60,
    'Wait between two tries of a notice, at most',
    'Further waits are as long',
  ),
  earlierStepFirst: seconds(
    10,
    'Time for which the first page of a step waits for the next try of earlier steps’ pages, none of which was sent yet',
    'Sent as well',
  ),
  // Longer than two waits between tries: a page of a step in between waits for its own next try, and
  // then for that of the first step.
  earlierStepAgain: seconds(
    135,
    'The same of a page that was tried before at the same contact',
    'Tried as well',
  ),
  retriesEndHours: hours(
    24,
    'Time in which a notice other than a webhook call is tried again, and longer after few tries',
    'Given up; the timeline has an entry for that',
  ),
  triesAtLeast: count(
    20,
    'Tries before a notice, or the change of a message outside, is given up',
    'Given up once it is too old',
  ),
  lostAnswers: count(
    4,
    'Times that a message is sent to a chat whose vendor gives no answer, may have taken it, and cannot be asked',
    'It counts as failed; the timeline says that it may have arrived',
  ),
  // The first time it is tried again at once, since a single answer is easily lost.
  lostAnswerWait: seconds(
    60,
    'Wait after the second of these, ten times as long after the third',
    'Sent again',
  ),
  // As long as a repeat would wait.
  retryAfterMinutes: minutes(
    10,
    'Wait that a `Retry-After` may request, beyond the wait of the page’s step',
    'Tried again after that time',
  ),
  webhookRetryAfterSeconds: seconds(
    3_600,
    'The same of an outbound webhook',
    'Tried again after that time',
  ),
  connectTime: milliseconds(
    5_000,
    'Time to connect to a webhook or a chat, DNS included',
    'Tried again',
  ),
  callTime: milliseconds(15_000, 'Time of a whole call', 'Tried again'),
  answerRead: bytes(64 * KIB, 'Bytes read of its response', 'The rest is not read'),
  answerStored: bytes(2 * KIB, 'Bytes stored of its response', 'Cut'),
  vendorCallTime: milliseconds(
    10_000,
    'Time of a whole call of a vendor’s API, beyond the time for which it was requested to wait',
    'Tried again',
  ),
  // With both looks and the wait for the next try, ten seconds at most.
  numberSendTime: milliseconds(
    4_000,
    'Of that, time for a vendor to take a call or an SMS',
    'Its list is read; if the notice is not in it, the next connection is used',
  ),
  numberQueryTime: milliseconds(
    2_000,
    'Of that, time for a vendor to report what became of a call or an SMS, or to list the latest',
    'The next connection is used',
  ),
  vendorAnswerRead: bytes(MIB, 'Bytes of its response', 'The call counts as failed'),
  // The longest of them together are shorter than the longest response.
  telegramUpdates: count(10, 'Messages and presses read at once from Telegram', 'Read next'),
  addresses: count(8, 'Addresses of a name that are tried', 'The first are tried'),
  nextAddressTime: milliseconds(
    1_000,
    'Time for one of them to be connected to',
    'The next is tried as well',
  ),
  lookups: count(64, 'Names that are looked up at once', 'They wait, pages before webhooks'),
  lookupsOfWebhooks: count(48, 'Of these, for webhooks', 'They wait'),
  lookupsOfOne: count(
    8,
    'Of these, for the pages of one organisation, and as many for its webhooks',
    'They wait',
  ),
  // Less than the time to connect, of which it is a part.
  lookupTime: milliseconds(4_000, 'Time to look up a name', 'Tried again'),
  nameServerTime: milliseconds(
    1_000,
    'Time for a name server to answer',
    'The next one is queried',
  ),
  nameCacheTime: milliseconds(
    5_000,
    'Time for which a resolved address is cached',
    'Looked up again',
  ),
  failedNameCacheTime: milliseconds(
    2_000,
    'Time for which an unresolvable name is cached',
    'Looked up again',
  ),
  addressesOfFamily: count(4, 'Addresses of a name by IPv4, and by IPv6', 'The first are used'),
  searchDomains: count(6, '`search` domains that are used', 'The first are used'),
  mailConnections: count(5, 'Connections to the SMTP server', 'Mails wait'),
  mailsWaiting: count(500, 'Mails waiting for it', 'Tried again'),
  mailConnectTime: milliseconds(10_000, 'Time to connect to the SMTP server', 'Tried again'),
  mailIdleTime: milliseconds(30_000, 'Time for which it may be silent', 'Tried again'),
  // Shorter than the lease of a notice, or another server would send it meanwhile.
  mailTime: milliseconds(45_000, 'Time for one mail', 'Tried again'),
  pushContent: bytes(
    3_000,
    'What a push to a browser says',
    'Texts are cut, then buttons left out',
  ),
  pushTime: seconds(
    14_400,
    'Time for which a push service keeps a push for a device that is offline; for a page that is the wait of its step, if it is shorter',
    'The push is lost; a page has escalated by then',
  ),
  answeredCall: seconds(
    120,
    'Time for which a call that was answered may go on before its end is reported',
    'It counts as lost: the vendor is queried, then the next connection is used',
  ),
  callAgain: seconds(
    60,
    'Wait before the second call to a number that did not answer',
    'Called again',
  ),
  laneHold: seconds(
    5,
    'Time for which nothing is sent by a connection, or to a chat, whose vendor gets too much at once; as long as the vendor says, within the limits of `Retry-After`',
    'What is to be sent by it waits',
  ),
  laneSlow: seconds(
    300,
    'Time after that in which a server of ntfy is sent one push in five seconds',
    'As many as there are',
  ),
  lanePause: seconds(
    60,
    'Time in which a chat was sent nothing after which a refusal of too many messages at once counts for the bot',
    'It counts for the chat',
  ),
  smsTime: seconds(
    14_400,
    'Time for which an SMS may wait at a vendor; for a page that is the wait of its step, of 1 minute to 10 hours',
    'It is not sent any more',
  ),
  callReceipt: seconds(
    60,
    'Time in which a vendor reports whether a call was taken',
    'The vendor is queried, then the next connection is used',
  ),
  smsReceipt: seconds(
    60,
    'Time in which a vendor reports whether an SMS has arrived',
    'The vendor is queried, then the next connection is used',
  ),
  // While the caller hears what the key did.
  pressedCall: seconds(
    10,
    'Time after a key that acts for which a call is taken to go on',
    'The next call to that telephone begins',
  ),
  // Longer than Twilio takes to list what it has made.
  listedWithin: seconds(
    3,
    'Time after a call or SMS whose answer was lost in which it may be missing in the vendor’s list',
    'It counts as not made',
  ),
  // Longer than a carrier's trouble that makes it report everything as invalid.
  strikesApart: seconds(
    300,
    'Time between the two reports, with no delivery in between, after which an invalid number is not used any more, at least',
    'They count as one report',
  ),
  // Reading one incident out twice, with what its key did, takes a minute at most.
  phoneCallTime: seconds(
    600,
    'Time of a call by phone',
    'The vendor ends it; what was not answered is called as usual',
  ),
  callIncidents: count(
    10,
    'Incidents that a person answers with a key in one call',
    'The call ends; the others are called as usual',
  ),
  callUnderWay: seconds(
    20,
    'Wait for a call that still rings or is being listened to',
    'Queried again',
  ),
  edits: count(
    16,
    'Messages outside that are changed at once, beside what is sent, since their incident has changed. One organisation has at most as many as are left for the others',
    'They wait',
  ),
  editDelay: milliseconds(
    1_000,
    'Time after a change of an incident in which further ones join it, and pause between two edits in one chat',
    'The messages show all of them at once',
  ),
  editsOfConnection: count(2, 'Of these, by one connection of a vendor', 'They wait'),
  editPause: milliseconds(
    100,
    'Time between the beginnings of two of them by one connection; if its vendor says how long to wait, none begins before that',
    'They wait',
  ),
  // Longer than any channel may take, with a second try in another form.
  editLease: seconds(
    60,
    'Time for which a message that is being changed belongs to one server',
    'Another server changes it, perhaps once more',
  ),
  editsEndHours: hours(
    24,
    'Time in which it is tried again to change a message',
    'Given up; the timeline has an entry for that',
  ),
  // Whatever wakes it is written with the change; this is for what was lost all the same.
  postedCheck: minutes(
    15,
    'Time after which a message of an open incident is compared with it, although nothing woke it',
    'Compared again after that time',
  ),
  postedHours: hours(
    24,
    'Time for which a message is kept up to date once its incident is resolved',
    'It stays as it is',
  ),
  repliesDays: days(
    8,
    'Time for which it is known that what somebody pressed or wrote at a vendor was done',
    'Delivered once more, it would be done once more',
  ),
  details: count(4_000, 'Characters of an event’s details in a notice', 'Cut'),
  formDetails: bytes(
    256 * KIB,
    'Details that a webhook receives in a form, each as a value of its own',
    'They are sent as one value, as JSON',
  ),
  // One to sign with, and during a rotation the one that follows it.
  signingSecrets: count(2, 'Signing secrets of one webhook', '409'),
} as const satisfies Limits;

export const sendingLimits = valuesOf(sending);
