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
    'Share of these for one channel, and for outbound webhook calls. One organization can have at most half of the webhook calls',
    'They wait. Other channels continue',
  ),
  // The operator's mail server takes a few at once; the rest waits for it, and leaves in time.
  mails: count(128, 'E-mails sent at once', 'They wait'),
  // At one in a second, the last of them has its turn well within its lease.
  ofLane: count(
    20,
    'Notices sent at once by phone for one organization, and as many by SMS, because vendors limit their rate',
    'They wait',
  ),
  ofRecipient: count(
    4,
    'Notices sent at once to one recipient',
    'They wait. Other recipients do not',
  ),
  ofQuickRecipient: count(
    32,
    'Notices sent at once to one recipient that responds quickly',
    'They wait',
  ),
  extra: count(
    64,
    'Notices sent at once to quick recipients, in addition to the first limit of this table',
    'They wait',
  ),
  quickTime: milliseconds(
    250,
    'Response time that counts as quick',
    'The recipient counts as slow',
  ),
  quickAnswers: count(
    8,
    'Quick responses in a row after which a recipient counts as quick',
    'The recipient counts as quick until a response is slow',
  ),
  // Longer than any channel may take, with a second try in another form.
  lease: seconds(
    60,
    'How long a claimed notice or message update belongs to the server that sends it',
    'Another server sends it, possibly a second time',
  ),
  // Longer than a vendor waits for something to happen, and the time to handle it.
  listenerLease: seconds(
    90,
    'How long one server polls a connection before another can take over',
    'Another server polls the connection',
  ),
  // Ended by Slack after three seconds.
  slackAcknowledge: milliseconds(
    2_000,
    'Time after which Slack gets a response even if the action has not finished',
    'The result follows when it is available',
  ),
  socketActions: count(
    32,
    'Button presses and commands of one Slack or Discord connection that are handled at once',
    'They wait',
  ),
  slackSeen: count(
    500,
    'Button presses and commands of one Slack workspace that are remembered, so that none is executed twice',
    'The oldest are forgotten',
  ),
  chatCommand: count(
    2_000,
    'Characters in a command in Slack, Microsoft Teams or Discord',
    'Truncated',
  ),
  chatReply: count(
    4_000,
    'Characters in a message to the Slack app, or in a reply in a thread there',
    'Truncated',
  ),
  chatName: count(
    100,
    'Characters in a person’s name in Slack, Microsoft Teams or Discord',
    'Truncated',
  ),
  teamsToken: bytes(
    8 * KIB,
    'Size of the token in a request from Microsoft Teams',
    'The request is rejected',
  ),
  teamsTokenHours: hours(
    24,
    'How long an access token of a Microsoft Teams bot is used, even if Microsoft accepts it for longer',
    'Another one is requested',
  ),
  teamsTokensCached: count(
    200,
    'Access tokens of Microsoft Teams bots kept by a server',
    'The oldest is requested again',
  ),
  teamsKeys: count(
    100,
    'Microsoft’s keys that a server keeps to verify requests',
    'Further keys are ignored',
  ),
  teamsKeysAnew: hours(
    24,
    'Interval between two loads of Microsoft’s keys',
    'They are loaded again',
  ),
  teamsKeysPause: seconds(
    60,
    'Minimum time between two loads of Microsoft’s keys after a failure or an unknown key',
    'Requests with an unknown key are rejected',
  ),
  teamsClockSkew: seconds(
    300,
    'Clock difference that is tolerated in the times of a Microsoft Teams token',
    'The request is rejected',
  ),
  teamsMentions: count(
    20,
    'Mentions of the bot that are left out of a command in Microsoft Teams',
    'The rest are read as part of it',
  ),
  teamsKnown: count(
    100,
    'Teams whose channels can be searched for one Microsoft Teams connection',
    'Channels of other teams can be used by their id',
  ),
  teamsSearched: count(
    20,
    'Teams searched for one unknown channel id',
    'The channel is found by name once all channels are loaded',
  ),
  chatChannelsPage: count(
    200,
    'Slack channels read per page. For Discord, a page is one server',
    'The rest are read next',
  ),
  chatChannelsPages: count(
    250,
    'Pages of channels read in a row from one connection',
    'Further channels can be chosen by id',
  ),
  // Slack takes 20 such calls a minute.
  chatChannelsPause: seconds(4, 'Wait between two pages of channels', 'The channels are read'),
  chatChannelsAnew: hours(
    1,
    'Interval between two reads of all channels of a workspace',
    'The channels are read',
  ),
  chatChannelsFailed: seconds(
    300,
    'Wait before a failed read of channels is retried, unless the vendor asks for another wait',
    'The channels are read',
  ),
  chatChannelsLease: seconds(
    60,
    'How long one server reads the channels of a workspace before another can take over',
    'Another server reads them',
  ),
  chatChannelsListed: count(
    50,
    'Channels that a search finds',
    'A longer search text finds others',
  ),
  chatChannelsFetched: count(
    30,
    'Unknown channel ids that a server looks up at the vendor per minute, for one organization',
    '429',
  ),
  // Discord resets the token of a bot that begins a thousand sessions in a day.
  gatewaySessions: count(
    50,
    'Discord gateway sessions that Pager leaves unused of those that Discord allows per day',
    'The next session begins when Discord allows more. Until then, buttons and commands do nothing',
  ),
  interactionAge: seconds(
    300,
    'Maximum age of a request from Discord, by its signed timestamp',
    'The request is rejected',
  ),
  socketPing: milliseconds(
    10_000,
    'Interval between two pings on a socket to a vendor',
    'Without a response, the socket is reopened',
  ),
  telegramPoll: seconds(
    50,
    'How long Telegram holds a poll open while there are no updates',
    'The next poll starts',
  ),
  smsPoll: seconds(
    10,
    'Interval between two polls of Twilio for received SMS, if Twilio cannot call Pager',
    'The next poll starts',
  ),
  smsPollHours: hours(
    24,
    'How long Twilio is polled after the end of an incident that was paged by SMS',
    'Polling stops. When the next incident is paged by SMS, only SMS of this period are read',
  ),
  // Longer than Twilio takes to list what it has received, and than clocks differ.
  smsPollOverlap: seconds(
    300,
    'How far a poll goes back before the last SMS that was read',
    'SMS that Twilio lists later are not read',
  ),
  smsPollPage: count(100, 'SMS read per page', 'The rest are read next'),
  smsPollPages: count(4, 'Pages of SMS in one poll', 'Older ones are not read'),
  textLate: seconds(
    120,
    'Age at which a message without an incident number no longer acts on an incident',
    'Nothing is changed, and the reply explains this',
  ),
  checkEvery: minutes(
    60,
    'Interval between two checks of a connection’s credentials, or of the mail server',
    'Checked again',
  ),
  checkFailingEvery: minutes(
    2,
    'Interval while the connection or the mail server is degraded or failing',
    'Checked again',
  ),
  // Each takes some requests of as long as a vendor may take.
  checkLease: seconds(
    60,
    'How long one server checks before another can take over',
    'Another server checks too',
  ),
  checksOfVendor: count(8, 'Connection checks at one vendor at once, by one server', 'They wait'),
  connectionFailing: minutes(
    10,
    'How long a connection or a built-in channel can fail before admins are notified',
    'Admins are notified, at most once a day',
  ),
  circuitFailures: count(
    5,
    'Vendor failures of a connection, within the time in the next row, before other connections for the channel are used first',
    'Failures that count: no response, a vendor error, or rejected credentials and settings',
  ),
  circuitWindow: seconds(
    120,
    'Period in which these failures are counted',
    'Older failures do not count',
  ),
  circuitOpen: seconds(
    60,
    'How long the other connections are used first',
    'One page tries the connection. If it works, the connection is used as before. Otherwise, the time restarts',
  ),
  // As long as the lease of the notice that tries.
  circuitProbe: seconds(
    60,
    'How long that page has to succeed',
    'Another page tries the connection',
  ),
  editTurnWait: seconds(
    2,
    'How long a message update waits for its turn at the vendor',
    'Retried. Nothing was sent',
  ),
  // With the call itself it ends before the lease does.
  turnWait: seconds(
    30,
    'How long a call, SMS, push or message in a chat waits for its turn at the vendor',
    'Retried. Nothing was sent',
  ),
  retryWait: seconds(
    60,
    'Maximum wait between two attempts of a notice',
    'Further waits stay at this length',
  ),
  earlierStepFirst: seconds(
    10,
    'How long the first page of a step waits for another attempt of earlier steps’ pages, if none of these has been sent',
    'The page is sent too',
  ),
  // Longer than two waits between tries: a page of a step in between waits for its own next try, and
  // then for that of the first step.
  earlierStepAgain: seconds(
    135,
    'How long a page that was already attempted at the same contact waits for these',
    'The page is attempted too',
  ),
  retriesEndHours: hours(
    24,
    'How long a notice other than a webhook call is retried, or longer if there were few attempts',
    'Pager gives up, and the timeline shows it',
  ),
  triesAtLeast: count(
    20,
    'Attempts before Pager gives up on a notice or a message update',
    'Pager gives up once it is too old',
  ),
  lostAnswers: count(
    4,
    'Times that a chat message is sent if the vendor does not respond, may have accepted it, and cannot be queried',
    'The notice counts as failed, and the timeline shows that it may have arrived',
  ),
  // The first time it is tried again at once, since a single answer is easily lost.
  lostAnswerWait: seconds(
    60,
    'Wait after the second time. After the third, ten times as long',
    'The message is sent again',
  ),
  // As long as a repeat would wait.
  retryAfterMinutes: minutes(
    10,
    'Wait that `Retry-After` can request. For a page, the wait of its step, if there is one',
    'Retried after that time',
  ),
  webhookRetryAfterSeconds: seconds(
    3_600,
    'Wait that `Retry-After` can request for an outbound webhook',
    'Retried after that time',
  ),
  connectTime: milliseconds(
    5_000,
    'Time to connect to a webhook or a chat, including DNS',
    'Retried',
  ),
  callTime: milliseconds(15_000, 'Time for a whole call to a webhook or a chat', 'Retried'),
  answerRead: bytes(64 * KIB, 'Bytes read of the response', 'The rest is not read'),
  answerStored: bytes(2 * KIB, 'Bytes stored of the response', 'Truncated'),
  vendorCallTime: milliseconds(
    10_000,
    'Time for a whole vendor API call, in addition to a requested wait',
    'Retried',
  ),
  // With both looks and the wait for the next try, ten seconds at most.
  numberSendTime: milliseconds(
    4_000,
    'Time for a vendor to accept a call or an SMS',
    'Pager reads the vendor’s list. If the notice is not in it, the next connection is used',
  ),
  numberQueryTime: milliseconds(
    2_000,
    'Time for a vendor to report the status of a call or an SMS, or to list the latest ones',
    'The next connection is used',
  ),
  vendorAnswerRead: bytes(MIB, 'Bytes read of a vendor’s response', 'The call counts as failed'),
  // The longest of them together are shorter than the longest response.
  telegramUpdates: count(
    10,
    'Messages and button presses read at once from Telegram',
    'The rest are read next',
  ),
  addresses: count(8, 'Addresses that are tried for a host name', 'Only the first are tried'),
  nextAddressTime: milliseconds(
    1_000,
    'Time to connect to one address',
    'The next address is tried too',
  ),
  lookups: count(
    64,
    'Host names that are looked up at once',
    'They wait. Lookups for pages come before lookups for webhooks',
  ),
  lookupsOfWebhooks: count(48, 'Host names looked up at once for webhooks', 'They wait'),
  lookupsOfOne: count(
    8,
    'Host names looked up at once for pages of one organization, and as many for its webhooks',
    'They wait',
  ),
  // Less than the time to connect, of which it is a part.
  lookupTime: milliseconds(4_000, 'Time to look up a host name', 'Retried'),
  nameServerTime: milliseconds(
    1_000,
    'Time for a name server to respond',
    'The next name server is queried',
  ),
  nameCacheTime: milliseconds(
    5_000,
    'How long a resolved address is cached',
    'The name is looked up again',
  ),
  failedNameCacheTime: milliseconds(
    2_000,
    'How long an unresolvable name is cached',
    'The name is looked up again',
  ),
  addressesOfFamily: count(
    4,
    'IPv4 addresses used for a host name, and as many IPv6 addresses',
    'Only the first are used',
  ),
  searchDomains: count(6, '`search` domains that are used', 'Only the first are used'),
  mailConnections: count(5, 'Connections to the SMTP server', 'E-mails wait'),
  mailsWaiting: count(500, 'E-mails waiting for a connection to the SMTP server', 'Retried'),
  mailConnectTime: milliseconds(10_000, 'Time to connect to the SMTP server', 'Retried'),
  mailIdleTime: milliseconds(30_000, 'How long the SMTP server can be silent', 'Retried'),
  mailCheckTime: milliseconds(
    20_000,
    'Time for the SMTP server to accept the sign-in when it is checked',
    'The check fails',
  ),
  // Shorter than the lease of a notice, or another server would send it meanwhile.
  mailTime: milliseconds(45_000, 'Time to send one e-mail', 'Retried'),
  pushContent: bytes(
    3_000,
    'Size of a browser push',
    'Texts are truncated, then buttons are omitted',
  ),
  pushTime: seconds(
    14_400,
    'How long a push service keeps a push for an offline device. For a page, the wait of its step if that is shorter',
    'The push is lost. By then, a page has escalated',
  ),
  answeredCall: seconds(
    120,
    'How long an answered call can continue before its end is reported',
    'The report counts as lost: the vendor is queried, then the next connection is used',
  ),
  callAgain: seconds(
    60,
    'Wait before the second call to a number that did not answer',
    'The number is called again',
  ),
  laneHold: seconds(
    5,
    'Pause of a connection or a chat after its vendor reports too many messages, unless the vendor requests another wait within the limits of `Retry-After`',
    'Notices wait',
  ),
  laneSlow: seconds(
    300,
    'How long after that pause an ntfy server gets only one push every five seconds',
    'No limit',
  ),
  lanePause: seconds(
    60,
    'Time without a message to a chat, after which a rejection for too many messages pauses the whole bot',
    'Before that, it pauses only the chat',
  ),
  smsTime: seconds(
    14_400,
    'How long a vendor can delay an SMS. For a page, the wait of its step, from 1 minute to 10 hours',
    'The vendor discards the SMS',
  ),
  callReceipt: seconds(
    60,
    'Time for a vendor to report whether a call was answered',
    'The vendor is queried, then the next connection is used',
  ),
  smsReceipt: seconds(
    60,
    'Time for a vendor to report whether an SMS arrived',
    'The vendor is queried, then the next connection is used',
  ),
  whatsAppReceipt: seconds(
    60,
    'Time for a vendor to report whether a WhatsApp message arrived',
    'The next connection is used, then the next contact',
  ),
  // As many as Meta sends at once.
  whatsAppUpdates: count(
    1_000,
    'Messages and receipts in one request from Meta',
    'The request is rejected, and Meta repeats it',
  ),
  // As long as Twilio waits.
  keyAnswer: seconds(
    15,
    'How long a vendor waits for the response to a key',
    'The vendor ends the call, and the next call to that telephone begins',
  ),
  // While the caller hears what the key did.
  pressedCall: seconds(
    10,
    'How long a call is assumed to continue after someone pressed a key',
    'The next call to that telephone begins',
  ),
  // Longer than Twilio takes to list what it has made.
  listedWithin: seconds(
    3,
    'How long a call or SMS without a response can be missing from the vendor’s list',
    'The notice counts as not sent',
  ),
  // Longer than a carrier's trouble that makes it report everything as invalid.
  strikesApart: seconds(
    300,
    'Minimum time between two reports of an invalid number or e-mail address. After the second one without a delivery in between, it is no longer used',
    'They count as one report',
  ),
  bounceCounts: seconds(
    86_400,
    'How long a report that an e-mail address does not exist counts',
    'The next one counts as the first',
  ),
  // Five minutes less than Meta allows, as clocks differ and messages take a while.
  freeTextMinutes: minutes(
    1_435,
    'How long after a person last wrote in WhatsApp Pager sends free text with all buttons',
    'Pager sends the approved template',
  ),
  // Reading one incident out twice, with what its key did, takes a minute at most.
  phoneCallTime: seconds(
    600,
    'Duration of a phone call',
    'The vendor ends the call. Other calls follow for incidents that were not answered',
  ),
  callIncidents: count(
    10,
    'Incidents that a person can answer with keys in one call',
    'The call ends. Other calls follow for the other incidents',
  ),
  callUnderWay: seconds(
    20,
    'Interval between two queries about a call that is ringing or in progress. The first one is sent this long after another call begins to wait for an answered one',
    'The vendor is queried again',
  ),
  edits: count(
    16,
    'Messages updated at once after their incident changed, in addition to notices being sent. One organization can have at most as many as it leaves free for the others',
    'They wait',
  ),
  editDelay: milliseconds(
    1_000,
    'How long changes of an incident are combined into one update. Also the pause between two updates in one chat',
    'The update is sent',
  ),
  postedCounts: seconds(
    30,
    'Interval between updates of one chat message that show only how many alerts its incident has. Also between the lines below it that name alerts',
    'The next one has them all',
  ),
  editsOfConnection: count(2, 'Messages updated at once by one connection', 'They wait'),
  editPause: milliseconds(
    100,
    'Interval between two updates by one connection, unless the vendor requests a longer wait',
    'They wait',
  ),
  editsEndHours: hours(
    24,
    'How long a message update is retried',
    'Pager gives up, and the timeline shows it',
  ),
  // Whatever wakes it is written with the change; this is for what was lost all the same.
  postedCheck: minutes(
    15,
    'Interval between comparisons of a message with its open incident, even without a change',
    'The message is compared again',
  ),
  postedHours: hours(
    24,
    'How long a message is kept up to date after its incident is resolved',
    'It is no longer updated',
  ),
  repliesDays: days(
    8,
    'How long an executed button press or message is remembered',
    'If the vendor delivers it again, it is executed again',
  ),
  details: count(4_000, 'Characters in an event’s details in a notice', 'Truncated'),
  formDetails: bytes(
    256 * KIB,
    'Details that a form webhook receives as separate values',
    'They are sent as one value, as JSON',
  ),
  // One to sign with, and during a rotation the one that follows it.
  signingSecrets: count(2, 'Signing secrets of one webhook', '409'),
} as const satisfies Limits;

export const sendingLimits = valuesOf(sending);
