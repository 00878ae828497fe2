// The English of what is spoken and of short texts, and the phrases that every language has.
// Each is whole: nothing is put together of parts, which other languages order differently.

export const english = {
  /** As speech is requested in it. */
  locale: 'en-US',
  spoken: {
    greeting: (organization: string) => `This is Pager, for ${organization}.`,
    service: (name: string) => `Service ${name}.`,
    priority: (name: string) => `Priority ${name}.`,
    incident: (number: string) => `Incident number ${number}.`,
    key: {
      acknowledge: 'To acknowledge, press 4.',
      resolve: 'To resolve, press 6.',
      escalate: 'To escalate, press 9.',
      repeat: 'To hear this again, press star.',
    },
    /** Where keys have no effect. */
    noKeys: 'Keys have no effect in this call. Open Pager to acknowledge or resolve.',
    readOnly: 'You cannot acknowledge or resolve it.',
    code: (digits: string) => `Your code is: ${digits}.`,
    codeUnrequested: 'If you did not request it, hang up. Without the code, you get no calls here.',
    until: (time: string) => `Until ${time}.`,
    next: 'Next incident.',
    goodbye: 'Goodbye.',
    test: 'This is a test call from Pager. Pages are read to you like this.',
  },
  /** In SMS: within the alphabet GSM 03.38. */
  short: {
    verb: { acknowledge: 'ack', resolve: 'resolve', escalate: 'escalate' },
    code: (code: string) => `${code} is your Pager code.`,
    codeUnrequested: 'If you did not request it, ignore this.',
    until: (time: string) => `until ${time}`,
    test: 'This is a test message from Pager. Pages arrive here like this.',
  },
  incident: {
    triggered: 'Incident triggered',
    unanswered: (first: number, last: number) =>
      first === last ? `Nobody answered step ${last}` : `Nobody answered steps ${first} to ${last}`,
    /** Somebody did not wait for the step. */
    escalated: (step: number) => `Escalated to step ${step}`,
    nobodyPaged: 'Nobody could be paged',
    notAllPaged: 'Not everyone could be paged',
    resolved: (by: string) => (by === '' ? 'Resolved' : `Resolved by ${by}`),
    assigned: (to: string) => `Assigned to ${to || 'you'}`,
    responderAdded: (name: string) => `Responder added: ${name || 'you'}`,
    storm: 'Alert storm',
    untitled: 'Untitled incident',
    /** An incident of several alerts. */
    andMore: (title: string, others: number) => `${title} and ${others} more`,
    /** `names`: as `INC-42, INC-43`. */
    also: (names: string, more: number) => (more > 0 ? `${names} and ${more} more` : names),
    readOnly: (role: string) => `${role}, which cannot acknowledge or resolve incidents`,
  },
  status: { triggered: 'triggered', acknowledged: 'acknowledged', resolved: 'resolved' },
  role: {
    viewer: 'viewer',
    responder: 'responder',
    manager: 'manager',
    admin: 'admin',
    owner: 'owner',
  },
  fact: {
    also: 'Also',
    service: 'Service',
    status: 'Status',
    priority: 'Priority',
    severity: 'Severity',
    opened: 'Opened',
    next: 'Next',
    role: 'Your role',
    code: 'Code',
    validUntil: 'Valid until',
    from: 'From',
    until: 'Until',
    takenOverFrom: 'Taken over from',
    handedOverTo: 'Handed over to',
    onCallNow: 'On call now',
    requestedBy: 'Requested by',
  },
  /** Buttons: 20 characters at most. */
  button: {
    acknowledge: 'Acknowledge',
    resolve: 'Resolve',
    escalate: 'Escalate',
    gotIt: 'I got it',
    openIncident: 'Open incident',
    openIncidents: 'Open incidents',
    openSchedule: 'Open schedule',
    openRequest: 'Open request',
  },
  /** What happens next if nobody acts. */
  next: {
    acknowledged: 'Nobody else is paged.',
    nobody: 'Nobody else is paged until someone acts.',
    step: (number: number, at: string) =>
      `Step ${number} runs at ${at} unless someone acknowledges.`,
    repeat: (at: string) => `Paging starts again at ${at} unless someone acknowledges.`,
    unacknowledge: (at: string) => `If it is not resolved by ${at}, paging starts again at step 1.`,
    unmute: (at: string) => `It is muted until ${at}.`,
    resolve: (at: string) => `It is resolved automatically at ${at}.`,
    expire: (at: string) => `It is resolved at ${at} unless its source reports it again.`,
  },
  more: (count: number | 'many') => `and ${count} more`,
  summary: {
    new: (count: number) => `${count} new incidents`,
    unanswered: (count: number) => `${count} unanswered incidents`,
  },
  /** To the person whose shift it is. */
  shift: {
    started: 'You are on call now',
    ended: 'Your shift has ended',
    takenOff: 'You are no longer on call',
    changed: 'Your shifts have changed',
    untitled: 'Untitled schedule',
    added: (span: string) => `Added: ${span}`,
    removed: (span: string) => `Removed: ${span}`,
    starting: (time: string) => `starting ${time}`,
    span: (from: string, to: string) => `${from} to ${to}`,
    /** To the others on the schedule. */
    coverWanted: (name: string) => `${name} asks for cover`,
  },
  /** From Monday, as `Sat 2026-11-21`. */
  weekdays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  code: {
    lead: 'Confirm that this address is yours',
    details:
      'Enter the code where you requested it. ' +
      'If you did not request one, ignore this message. Without the code, nothing more is sent here.',
    /** In a browser, which has the code. */
    device: 'Notifications arrive on this device.',
    line: (code: string) => `Your code: ${code}`,
  },
  test: {
    title: 'Test page: nothing is wrong',
    details: 'If you can read this, pages arrive here.',
  },
  /** What was done to an incident, on top of a message about it. `by`: with the way, as `Ada (phone)`. */
  taken: {
    Acknowledged: (by: string) => `Acknowledged by ${by}`,
    Unacknowledged: (by: string) => `Unacknowledged by ${by}`,
    Resolved: (by: string) => `Resolved by ${by}`,
    Escalated: (by: string) => `Escalated by ${by}`,
    Reopened: (by: string) => `Reopened by ${by}`,
    Merged: (by: string) => `Merged by ${by}`,
  },
  /** Alerts that joined an incident, in a line below a message about it. */
  joined: {
    /** `names`: of the first; `more`: how many are not named. */
    alerts: (names: string, alerts: number, more: number) => {
      const others = more > 0 ? `, and ${more} more` : '';
      return `${alerts === 1 ? '1 more alert' : `${alerts} more alerts`} joined: ${names}${others}.`;
    },
    /** How many alerts the incident has. */
    inAll: (alerts: number) => `${alerts} in all.`,
  },
  /** Who did it, where nobody did; `name`: in English, as `the timer`. */
  automatic: (name: string) => name,
  byTelephone: 'phone',
  /** To people who reply, press a button or press a key. */
  answer: {
    done: {
      acknowledge: (incident: string) => `Acknowledged: ${incident}.`,
      unacknowledge: (incident: string) => `Unacknowledged: ${incident}.`,
      resolve: (incident: string) => `Resolved: ${incident}.`,
      escalate: (incident: string) => `Escalated: ${incident}.`,
    },
    /** What the incident is, so that nothing was changed; `reason`: in English. */
    unchanged: {
      triggered: (_incident: string, reason: string) => `Nothing was changed: ${reason}.`,
      acknowledged: (_incident: string, reason: string) => `Nothing was changed: ${reason}.`,
      resolved: (_incident: string, reason: string) => `Nothing was changed: ${reason}.`,
      escalated: (_incident: string, reason: string) => `Nothing was changed: ${reason}.`,
    },
    notThere: 'This incident no longer exists.',
    notReadable: 'The incident cannot be read. Open Pager to see why.',
    unknownNumber: (number: number) => `There is no INC-${number}.`,
    notPagedHere: (number: number) => `No page for INC-${number} was sent here.`,
    unlinkedChat: 'This chat is not linked. To be paged here, open Pager, go to Me and link it.',
    unlinkedNumber:
      'Pager does not know this number. To be paged here, sign in to Pager, open Me and add it.',
    shared: 'Several people share this address. Act in Pager instead.',
    inactive: 'Your account in Pager is not active.',
    role: (role: string) => `As a ${role} you cannot act on incidents.`,
    smsAcknowledgesOnly: 'By SMS you can only acknowledge. Open Pager for everything else.',
    smsHasNoEffect: 'SMS replies have no effect. Open Pager.',
    buttonIsOld: 'This button no longer works. Open the incident in Pager.',
    gotIt: 'Thank you: pages reach you here.',
    gotItTooLate: 'This contact is no longer used.',
    /** `reason`: in English, as `is not among the allowed prefixes`. */
    numberCannotBeLinked: (reason: string) =>
      `This number cannot be linked: it ${reason}. Ask an admin.`,
    linked: (person: string, organization: string) =>
      `Pages for ${person} (${organization}) now arrive here.`,
    codeIsInvalid: 'This code is invalid or has expired. Create another one in Pager, under Me.',
    contactsAreFull: (max: number) =>
      `You already have ${max} contacts, the maximum. Remove one first.`,
    optedOut: 'You no longer get pages here. To get them again, send START.',
    optedIn: 'You get pages here again.',
    callIsUnknown: 'This call is unknown.',
    pageIsGone: 'This page no longer exists.',
    keyHasNoEffect: 'This key has no effect.',
  },
  /** What to send instead of a text that did nothing: it fits one SMS. */
  proposal: {
    nothing: 'Nothing was changed.',
    nothingOpen: 'Nothing was changed: no open incident was paged here.',
    oneThing: 'Nothing was changed: ask for one thing at a time.',
    to: {
      acknowledge: (incident: string, send: string) => `To acknowledge ${incident}, send: ${send}`,
      resolve: (incident: string, send: string) => `To resolve ${incident}, send: ${send}`,
      escalate: (incident: string, send: string) => `To escalate ${incident}, send: ${send}`,
    },
    choices: (incident: string, choices: string) => `For ${incident}, send: ${choices}`,
    choice: {
      acknowledge: (send: string) => `${send} to acknowledge`,
      resolve: (send: string) => `${send} to resolve`,
      escalate: (send: string) => `${send} to escalate`,
    },
    list: (incidents: string, send: string) => `Open: ${incidents}. Send, for example: ${send}`,
    more: (count: number) => `${count} more`,
  },
};

export type Phrases = typeof english;
