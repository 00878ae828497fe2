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
    'Notices sent at once. One organization can have at most as many as it leaves free for the others, which is half of all while nobody else sends',
    'They wait',
  ),
  // A slow channel leaves room for the others.
  ofChannel: percent(
    75,
    'Of these, by one channel, and outbound webhook calls. One organization can have at most half of the webhook calls',
    'They wait. Other channels continue',
  ),
  // The operator's mail server takes a few at once; the rest waits for it, and leaves in time.
  mails: count(128, 'Of these, by e-mail', 'They wait'),
  // At one in a second, the last of them has its turn well within its lease.
  ofLane: count(
    20,
    'Of these, for one organization by phone, and as many by SMS, which vendors take at a pace',
    'They wait',
  ),
  ofRecipient: count(4, 'Of these, to one recipient', 'They wait. Other recipients do not'),
  ofQuickRecipient: count(32, 'Of these, to one recipient that responds quickly', 'They wait'),
  extra: count(
    64,
    'Of these, to quick recipients in addition to the limit for the others',
    'They wait',
  ),
  quickTime: milliseconds(250, 'Response time that counts as quick', 'It counts as slow'),
  quickAnswers: count(
    8,
    'Quick responses in a row after which a recipient counts as quick',
    'It counts as quick until a response is slow',
  ),
  // Longer than any channel may take, with a second try in another form.
  lease: seconds(
    60,
    'Time for which a claimed notice or message update belongs to the server that sends it',
    'Another server sends it, possibly a second time',
  ),
  // Longer than a vendor waits for something to happen, and the time to handle it.
  listenerLease: seconds(
    90,
    'Time for which a polled connection belongs to one server',
    'Another server polls it',
  ),
  // Ended by Slack after three seconds.
  slackAcknowledge: milliseconds(
    2_000,
    'Time after which Slack gets a response although the action has not finished',
    'The result is shown when it is available',
  ),
  slackEnvelopes: count(
    32,
    'Button presses and commands of one Slack workspace that are handled at once',
    'They wait',
  ),
  slackSeen: count(
    500,
    'Button presses and commands of one Slack workspace that are remembered, so that none is executed twice',
    'The oldest are forgotten',
  ),
  slackCommand: count(2_000, 'Characters of a command in Slack', 'Cut'),
  slackName: count(100, 'Characters of a person’s name in Slack', 'Cut'),
  chatChannelsPage: count(200, 'Channels of a workspace per page', 'Read next'),
  chatChannelsPages: count(
    250,
    'Pages of channels that are read in a row from one workspace',
    'Further channels can be found by id',
  ),
  // Slack takes 20 such calls a minute.
  chatChannelsPause: seconds(4, 'Wait before the next page of channels is read', 'Read then'),
  chatChannelsAnew: hours(
    1,
    'Time between two readings of all channels of a workspace',
    'Read then',
  ),
  chatChannelsFailed: seconds(
    300,
    'Wait before a failed read of channels is retried, unless the vendor asks for another wait',
    'Read then',
  ),
  chatChannelsLease: seconds(
    60,
    'Time for which reading the channels of a workspace belongs to one server',
    'Another server reads them',
  ),
  chatChannelsListed: count(50, 'Channels that a search finds', 'A longer text finds others'),
  chatChannelsFetched: count(
    30,
    'Unknown channel ids that a server looks up at the vendor per minute, for one organization',
    '429',
  ),
  socketPing: milliseconds(
    10_000,
    'Time between two pings of a socket to a vendor',
    'A socket without a response is reopened',
  ),
  telegramPoll: seconds(50, 'Time for which Telegram is asked to wait for updates', 'Polled again'),
  smsPoll: seconds(
    10,
    'Time between two polls of Twilio for received SMS, if Twilio cannot call Pager',
    'Polled then',
  ),
  smsPollHours: hours(
    24,
    'Time for which Twilio is polled after the end of an incident that was paged by SMS',
    'SMS that are not older than this are read once an incident is paged by SMS again',
  ),
  // Longer than Twilio takes to list what it has received, and than clocks differ.
  smsPollOverlap: seconds(
    300,
    'Overlap with the last read SMS when SMS are listed again',
    'SMS that Twilio lists later than that are not read',
  ),
  smsPollPage: count(100, 'SMS per page', 'Listed next'),
  smsPollPages: count(4, 'Pages of SMS in one poll', 'Older ones are not read'),
  textLate: seconds(
    120,
    'Maximum age of the last page for an SMS or Telegram message without an incident number to act on',
    'The reply asks for the incident number',
  ),
  checkEvery: minutes(
    60,
    'Time between two checks of the credentials of a connection, or of the mail server',
    'Checked again',
  ),
  checkFailingEvery: minutes(2, 'The same while it is degraded or failing', 'Checked again'),
  // Each takes some requests of as long as a vendor may take.
  checkLease: seconds(
    60,
    'Time for which a check belongs to one server',
    'Another server checks as well',
  ),
  checksOfVendor: count(8, 'Connection checks at one vendor at once, by one server', 'They wait'),
  connectionFailing: minutes(
    10,
    'Time for which a connection or a built-in channel can fail',
    'Admins are notified, at most once a day',
  ),
  circuitFailures: count(
    5,
    'Vendor failures of one connection within the time below, after which other connections for the channel are used first',
    'Failures that count: no response, a vendor error, or rejected credentials and settings',
  ),
  circuitWindow: seconds(120, 'Time within which they are counted together', 'They are forgotten'),
  circuitOpen: seconds(
    60,
    'Time for which the other connections are used first',
    'One page tries it again. If it works, the connection is used as before. Otherwise, the time restarts',
  ),
  // As long as the lease of the notice that tries.
  circuitProbe: seconds(60, 'Time for the page that tries it', 'Another page tries it'),
  editTurnWait: seconds(
    2,
    'Time for which a message update waits for its turn at the vendor',
    'Retried, without having been sent',
  ),
  // With the call itself it ends before the lease does.
  turnWait: seconds(
    30,
    'Time for which a call, SMS, push or message in a chat waits for its turn at the vendor',
    'Retried, without having been sent',
  ),
  retryWait: seconds(
    60,
    'Maximum wait between two attempts of a notice',
    'Further waits stay at this length',
  ),
  earlierStepFirst: seconds(
    10,
    'Time for which the first page of a step waits for the next attempt of earlier steps’ pages, none of which has been sent yet',
    'Sent as well',
  ),
  // Longer than two waits between tries: a page of a step in between waits for its own next try, and
  // then for that of the first step.
  earlierStepAgain: seconds(
    135,
    'The same for a page that was attempted before at the same contact',
    'Attempted as well',
  ),
  retriesEndHours: hours(
    24,
    'Time in which a notice other than a webhook call is retried, or longer after few attempts',
    'Pager gives up, and the timeline shows it',
  ),
  triesAtLeast: count(
    20,
    'Attempts before Pager gives up on a notice or a message update',
    'Pager gives up once it is too old',
  ),
  lostAnswers: count(
    4,
    'Times that a chat message is sent when the vendor does not respond, may have accepted it, and cannot be queried',
    'It counts as failed, and the timeline shows that it may have arrived',
  ),
  // The first time it is tried again at once, since a single answer is easily lost.
  lostAnswerWait: seconds(
    60,
    'Wait after the second of these. After the third it is ten times as long',
    'Sent again',
  ),
  // As long as a repeat would wait.
  retryAfterMinutes: minutes(
    10,
    'Wait that `Retry-After` can request, in addition to the wait of the page’s step',
    'Retried after that time',
  ),
  webhookRetryAfterSeconds: seconds(
    3_600,
    'The same for an outbound webhook',
    'Retried after that time',
  ),
  connectTime: milliseconds(
    5_000,
    'Time to connect to a webhook or a chat, including DNS',
    'Tried again',
  ),
  callTime: milliseconds(15_000, 'Time of a whole call', 'Tried again'),
  answerRead: bytes(64 * KIB, 'Bytes read of its response', 'The rest is not read'),
  answerStored: bytes(2 * KIB, 'Bytes stored of its response', 'Cut'),
  vendorCallTime: milliseconds(
    10_000,
    'Time of a whole vendor API call, in addition to a requested wait',
    'Tried again',
  ),
  // With both looks and the wait for the next try, ten seconds at most.
  numberSendTime: milliseconds(
    4_000,
    'Part of it for a vendor to accept a call or an SMS',
    'The vendor’s list is read. If the notice is not in it, the next connection is used',
  ),
  numberQueryTime: milliseconds(
    2_000,
    'Part of it for a vendor to report the status of a call or an SMS, or to list the latest ones',
    'The next connection is used',
  ),
  vendorAnswerRead: bytes(MIB, 'Bytes of its response', 'The call counts as failed'),
  // The longest of them together are shorter than the longest response.
  telegramUpdates: count(10, 'Messages and button presses read at once from Telegram', 'Read next'),
  addresses: count(8, 'Addresses of a host name that are tried', 'The first are tried'),
  nextAddressTime: milliseconds(
    1_000,
    'Time to connect to one of them',
    'The next is tried as well',
  ),
  lookups: count(
    64,
    'Host names that are looked up at once',
    'They wait. Pages come before webhooks',
  ),
  lookupsOfWebhooks: count(48, 'Of these, for webhooks', 'They wait'),
  lookupsOfOne: count(
    8,
    'Of these, for the pages of one organization, and as many for its webhooks',
    'They wait',
  ),
  // Less than the time to connect, of which it is a part.
  lookupTime: milliseconds(4_000, 'Time to look up a host name', 'Tried again'),
  nameServerTime: milliseconds(
    1_000,
    'Time for a name server to respond',
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
  addressesOfFamily: count(
    4,
    'Addresses of a host name, each for IPv4 and IPv6',
    'The first are used',
  ),
  searchDomains: count(6, '`search` domains that are used', 'The first are used'),
  mailConnections: count(5, 'Connections to the SMTP server', 'Mails wait'),
  mailsWaiting: count(500, 'E-mails waiting for it', 'Tried again'),
  mailConnectTime: milliseconds(10_000, 'Time to connect to the SMTP server', 'Tried again'),
  mailIdleTime: milliseconds(30_000, 'Time for which it can be silent', 'Tried again'),
  // Shorter than the lease of a notice, or another server would send it meanwhile.
  mailTime: milliseconds(45_000, 'Time for one e-mail', 'Tried again'),
  pushContent: bytes(
    3_000,
    'Content of a push to a browser',
    'Texts are truncated, then buttons are omitted',
  ),
  pushTime: seconds(
    14_400,
    'Time for which a push service keeps a push for an offline device. For a page, the wait of its step if that is shorter',
    'The push is lost. A page has escalated by then',
  ),
  answeredCall: seconds(
    120,
    'Time for which an answered call can continue before its end is reported',
    'The report counts as lost: the vendor is queried, then the next connection is used',
  ),
  callAgain: seconds(
    60,
    'Wait before the second call to a number that did not answer',
    'Called again',
  ),
  laneHold: seconds(
    5,
    'Pause of a connection or a chat after its vendor reports too many messages. If the vendor asks for a wait, that wait, within the limits of `Retry-After`',
    'Notices wait',
  ),
  laneSlow: seconds(
    300,
    'Time after that in which an ntfy server gets one push in five seconds',
    'No limit',
  ),
  lanePause: seconds(
    60,
    'Time without a message to a chat after which a rejection for too many messages counts for the whole bot',
    'Before that, it counts for the chat',
  ),
  smsTime: seconds(
    14_400,
    'Time for which an SMS can wait at a vendor. For a page, the wait of its step, from 1 minute to 10 hours',
    'It is no longer sent',
  ),
  callReceipt: seconds(
    60,
    'Time in which a vendor reports whether a call was answered',
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
    'Time for which a call is assumed to continue after a key that acts',
    'The next call to that telephone begins',
  ),
  // Longer than Twilio takes to list what it has made.
  listedWithin: seconds(
    3,
    'Time in which a call or SMS without a response can be missing from the vendor’s list',
    'It counts as not sent',
  ),
  // Longer than a carrier's trouble that makes it report everything as invalid.
  strikesApart: seconds(
    300,
    'Minimum time between two reports of an invalid number, without a delivery in between, after which the number is no longer used',
    'They count as one report',
  ),
  // Reading one incident out twice, with what its key did, takes a minute at most.
  phoneCallTime: seconds(
    600,
    'Time of a phone call',
    'The vendor ends it. Incidents that were not answered are called as usual',
  ),
  callIncidents: count(
    10,
    'Incidents that a person can answer with keys in one call',
    'The call ends. The others are called as usual',
  ),
  callUnderWay: seconds(20, 'Wait for a call that is ringing or in progress', 'Queried again'),
  edits: count(
    16,
    'Messages that are updated at once after changes of their incidents, in addition to sent notices. One organization can have at most as many as it leaves free for the others',
    'They wait',
  ),
  editDelay: milliseconds(
    1_000,
    'Time after a change of an incident in which further changes are combined with it, and pause between two edits in one chat',
    'The messages show all of them at once',
  ),
  editsOfConnection: count(2, 'Of these, by one connection', 'They wait'),
  editPause: milliseconds(
    100,
    'Time between the starts of two of them by one connection. If the vendor asks for a wait, none starts earlier',
    'They wait',
  ),
  editsEndHours: hours(
    24,
    'Time in which a message update is retried',
    'Pager gives up, and the timeline shows it',
  ),
  // Whatever wakes it is written with the change; this is for what was lost all the same.
  postedCheck: minutes(
    15,
    'Time after which a message is compared with its open incident, even without a change',
    'It is compared again after that time',
  ),
  postedHours: hours(
    24,
    'Time for which a message is kept up to date after its incident is resolved',
    'It is no longer updated',
  ),
  repliesDays: days(
    8,
    'Time for which an executed button press or message is remembered',
    'If the vendor delivers it again, it is executed again',
  ),
  details: count(4_000, 'Characters of an event’s details in a notice', 'Cut'),
  formDetails: bytes(
    256 * KIB,
    'Details that a form webhook receives as separate values',
    'They are sent as one value, as JSON',
  ),
  // One to sign with, and during a rotation the one that follows it.
  signingSecrets: count(2, 'Signing secrets of one webhook', '409'),
} as const satisfies Limits;

export const sendingLimits = valuesOf(sending);
