// What Pager relies on of Twilio's REST API, version 2010-04-01, and of what Twilio sends to its customers.
import Type, { type TProperties, type TSchema } from 'typebox';
import { exactly, httpUrl, oneOf, problemWith, text } from './contract.ts';
import { publishedTwilio } from './published/twilio.ts';

type Fields = Readonly<Record<string, string | readonly string[]>>;

/** https://www.twilio.com/docs/voice/api/call-resource */
export const twimlLengthMax = 4_000;
/** https://www.twilio.com/docs/messaging/api/message-resource */
export const bodyLengthMax = 1_600;

// https://www.twilio.com/docs/glossary/what-is-a-sid: two letters, and 32 hexadecimal digits.
const sid = (prefix: string) => Type.String({ pattern: `^${prefix}[0-9a-f]{32}$` });
/** In a form and in a query each value is text. */
const number = Type.String({ pattern: '^\\d+$' });
const whole = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum });
/** Twilio refuses the numbers that are none in words of its own, with codes that people know. */
const anyText = Type.String();
const apiVersion = Type.Literal('2010-04-01');

/** https://www.twilio.com/docs/usage/twilios-response#response-formats-list-paging-information */
const paging = {
  PageSize: Type.Optional(Type.String({ pattern: '^([1-9]\\d{0,2}|1000)$' })),
  Page: Type.Optional(number),
  PageToken: Type.Optional(text()),
};

/** Of each operation the form of a POST, or the query of a GET. */
const requests: Readonly<Record<string, TSchema>> = {
  // https://www.twilio.com/docs/iam/api/account
  'GET .json': exactly({}),
  // https://www.twilio.com/docs/voice/api/call-resource#create-a-call
  'POST /Calls.json': exactly({
    To: anyText,
    From: anyText,
    Twiml: anyText,
    Timeout: Type.Optional(Type.String({ pattern: '^([1-9]\\d?|[1-5]\\d\\d|600)$' })),
    TimeLimit: Type.Optional(number),
    StatusCallback: Type.Optional(httpUrl),
    StatusCallbackEvent: Type.Optional(
      Type.Array(oneOf('initiated', 'ringing', 'answered', 'completed'), { minItems: 1 }),
    ),
    StatusCallbackMethod: Type.Optional(Type.Literal('POST')),
  }),
  // https://www.twilio.com/docs/voice/api/call-resource#update-a-call-resource
  'POST /Calls/{Sid}.json': exactly({ Status: oneOf('canceled', 'completed') }),
  'GET /Calls/{Sid}.json': exactly({}),
  // https://www.twilio.com/docs/voice/api/call-resource#read-multiple-call-resources
  'GET /Calls.json': exactly({ ...paging, To: Type.Optional(anyText) }),
  // https://www.twilio.com/docs/messaging/api/message-resource#create-a-message
  'POST /Messages.json': exactly({
    To: anyText,
    From: Type.Optional(anyText),
    MessagingServiceSid: Type.Optional(sid('MG')),
    Body: Type.Optional(anyText),
    // https://www.twilio.com/docs/content/send-templates-created-with-the-content-template-builder
    ContentSid: Type.Optional(sid('HX')),
    ContentVariables: Type.Optional(text()),
    ValidityPeriod: Type.Optional(number),
    StatusCallback: Type.Optional(httpUrl),
  }),
  'GET /Messages/{Sid}.json': exactly({}),
  // https://www.twilio.com/docs/messaging/api/message-resource#read-multiple-message-resources
  'GET /Messages.json': exactly({
    ...paging,
    To: Type.Optional(anyText),
    'DateSent>': Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })),
  }),
  // https://www.twilio.com/docs/content/content-api-resources, at a host of their own
  'GET /v1/Content/{Sid}': exactly({}),
  'GET /v1/Content/{Sid}/ApprovalRequests': exactly({}),
};

/** https://www.twilio.com/docs/usage/twilios-response: times are those of RFC 2822. */
const rfc2822 = Type.String({
  pattern: '^[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} \\+0000$',
});
const absent = Type.Null();
const uri = Type.String({ pattern: '^/2010-04-01/Accounts/AC' });

const common = {
  account_sid: sid('AC'),
  api_version: apiVersion,
  date_created: rfc2822,
  date_updated: rfc2822,
  to: text(),
  price: absent,
  price_unit: Type.Literal('USD'),
  uri,
};

// https://www.twilio.com/docs/voice/api/call-resource#call-properties
const call = exactly({
  ...common,
  sid: sid('CA'),
  direction: oneOf('inbound', 'outbound-api'),
  from: text(),
  status: oneOf(
    ...['queued', 'ringing', 'in-progress', 'canceled'],
    ...['completed', 'failed', 'busy', 'no-answer'],
  ),
  to_formatted: text(),
  from_formatted: text(),
  phone_number_sid: absent,
  parent_call_sid: absent,
  start_time: absent,
  end_time: absent,
  duration: absent,
  answered_by: absent,
  forwarded_from: absent,
  group_sid: absent,
  caller_name: Type.String(),
  queue_time: number,
  trunk_sid: absent,
  subresource_uris: exactly({ notifications: uri }),
});

// https://www.twilio.com/docs/messaging/api/message-resource#message-properties
const message = exactly({
  ...common,
  sid: sid('(SM|MM)'),
  direction: oneOf('inbound', 'outbound-api'),
  from: Type.Union([text(), absent]),
  status: oneOf(
    ...['accepted', 'scheduled', 'canceled', 'queued', 'sending', 'sent'],
    ...['failed', 'delivered', 'undelivered', 'receiving', 'received', 'read'],
  ),
  body: Type.String({ maxLength: bodyLengthMax }),
  num_segments: number,
  num_media: number,
  error_code: Type.Union([whole(10_000, 99_999), absent]),
  error_message: absent,
  date_sent: Type.Union([rfc2822, absent]),
  messaging_service_sid: Type.Union([sid('MG'), absent]),
  subresource_uris: exactly({ media: uri }),
});

const page = (listed: TProperties) =>
  exactly({
    first_page_uri: uri,
    uri,
    page: whole(0, 1_000_000),
    page_size: whole(1, 1_000),
    next_page_uri: Type.Union([uri, absent]),
    previous_page_uri: Type.Union([uri, absent]),
    start: Type.Integer(),
    end: Type.Integer(),
    ...listed,
  });

const calls = page({ calls: Type.Array(call) });
const messages = page({ messages: Type.Array(message) });

const action = exactly({
  type: Type.Literal('QUICK_REPLY'),
  title: text(25),
  id: Type.String({ minLength: 1, maxLength: 200 }),
});
const body = text(1_024);
const contentUrl = Type.String({ pattern: '^https://content\\.twilio\\.com/v1/Content/HX' });

const results: Readonly<Record<string, TSchema>> = {
  'GET /v1/Content/{Sid}': exactly({
    sid: sid('HX'),
    account_sid: sid('AC'),
    friendly_name: text(),
    language: text(),
    variables: Type.Record(Type.String({ pattern: '^\\d+$' }), text()),
    types: Type.Union([
      exactly({
        'twilio/quick-reply': exactly({
          body,
          actions: Type.Array(action, { minItems: 1, maxItems: 10 }),
        }),
      }),
      exactly({ 'twilio/text': exactly({ body }) }),
    ]),
    date_created: text(),
    date_updated: text(),
    url: contentUrl,
    links: exactly({ approval_create: contentUrl, approval_fetch: contentUrl }),
  }),
  // https://www.twilio.com/en-us/changelog/content-api-flows-approval
  'GET /v1/Content/{Sid}/ApprovalRequests': exactly({
    sid: sid('HX'),
    account_sid: sid('AC'),
    url: contentUrl,
    whatsapp: exactly({
      name: text(),
      category: oneOf('UTILITY', 'MARKETING', 'AUTHENTICATION'),
      content_type: oneOf('twilio/quick-reply', 'twilio/text'),
      status: oneOf(
        'unsubmitted',
        'received',
        'pending',
        'approved',
        'rejected',
        'paused',
        'disabled',
      ),
      rejection_reason: Type.String(),
      allow_category_change: Type.Boolean(),
      type: Type.Literal('whatsapp'),
      flows: absent,
    }),
  }),

  // https://www.twilio.com/docs/iam/api/account#account-properties
  'GET .json': exactly({
    sid: sid('AC'),
    owner_account_sid: sid('AC'),
    friendly_name: text(64),
    status: oneOf('active', 'suspended', 'closed'),
    type: oneOf('Trial', 'Full'),
    auth_token: text(),
    date_created: rfc2822,
    date_updated: rfc2822,
    uri,
    subresource_uris: exactly({ calls: uri, messages: uri }),
  }),
  'POST /Calls.json': call,
  'POST /Calls/{Sid}.json': call,
  'GET /Calls/{Sid}.json': call,
  'GET /Calls.json': calls,
  'POST /Messages.json': message,
  'GET /Messages/{Sid}.json': message,
  'GET /Messages.json': messages,
};

const ofCall = {
  CallSid: sid('CA'),
  AccountSid: sid('AC'),
  From: anyText,
  To: text(),
  Called: text(),
  Caller: anyText,
  ApiVersion: apiVersion,
  Direction: oneOf('inbound', 'outbound-api'),
};
const callStatus = oneOf(
  ...['queued', 'initiated', 'ringing', 'in-progress'],
  ...['completed', 'busy', 'no-answer', 'failed', 'canceled'],
);
const ofMessage = {
  MessageSid: sid('(SM|MM)'),
  SmsSid: sid('(SM|MM)'),
  AccountSid: sid('AC'),
  ApiVersion: apiVersion,
};

const whatsAppNumber = Type.String({ pattern: '^whatsapp:\\+[1-9]\\d{6,14}$' });

const callbacks = {
  // https://www.twilio.com/docs/voice/api/call-resource#statuscallback: the last report of a call has
  // its durations, in seconds and in minutes.
  'the report of a call': exactly({
    ...ofCall,
    CallStatus: callStatus,
    CallbackSource: Type.Literal('call-progress-events'),
    SequenceNumber: number,
    Timestamp: rfc2822,
    CallDuration: Type.Optional(number),
    Duration: Type.Optional(number),
    SipResponseCode: Type.Optional(Type.String({ pattern: '^[1-6]\\d\\d$' })),
  }),
  // https://www.twilio.com/docs/voice/twiml/gather
  'a pressed key': exactly({
    ...ofCall,
    CallStatus: callStatus,
    Digits: Type.String({ pattern: '^[0-9*#]+$' }),
    msg: Type.Literal('Gather End'),
    FinishedOnKey: Type.String(),
  }),
  // https://www.twilio.com/docs/messaging/api/message-resource#twilios-request-to-the-statuscallback-url
  'the report of a message': exactly({
    ...ofMessage,
    MessageStatus: oneOf(
      ...['queued', 'sent', 'delivered', 'undelivered', 'failed', 'canceled', 'read'],
    ),
    // Of WhatsApp.
    ChannelPrefix: Type.Optional(Type.Literal('whatsapp')),
    ChannelInstallSid: Type.Optional(sid('XE')),
    EventType: Type.Optional(oneOf('SENT', 'DELIVERED', 'READ', 'UNDELIVERED', 'FAILED')),
    SmsStatus: text(),
    To: text(),
    From: Type.Optional(text()),
    MessagingServiceSid: Type.Optional(sid('MG')),
    ErrorCode: Type.Optional(Type.String({ pattern: '^\\d{5}$' })),
  }),
  // https://www.twilio.com/docs/messaging/guides/webhook-request
  'a message to a number': exactly({
    ...ofMessage,
    SmsMessageSid: sid('SM'),
    From: text(),
    To: text(),
    Body: Type.String({ maxLength: bodyLengthMax }),
    NumMedia: number,
    NumSegments: number,
    SmsStatus: Type.Literal('received'),
    OptOutType: Type.Optional(oneOf('STOP', 'START', 'HELP')),
  }),
  // https://www.twilio.com/docs/messaging/guides/webhook-request#whatsapp-specific-parameters
  // https://www.twilio.com/docs/whatsapp/buttons: of a pressed button also its text, what it carries, and
  // the message that it belongs to, which is known of what somebody replies to, too.
  'a message in WhatsApp': exactly({
    ...ofMessage,
    SmsMessageSid: sid('SM'),
    From: whatsAppNumber,
    To: whatsAppNumber,
    Body: Type.String({ maxLength: bodyLengthMax }),
    NumMedia: number,
    NumSegments: number,
    ReferralNumMedia: number,
    SmsStatus: Type.Literal('received'),
    MessageType: oneOf('text', 'button', 'interactive'),
    ProfileName: text(),
    WaId: number,
    ChannelMetadata: text(),
    ButtonText: Type.Optional(text(25)),
    ButtonPayload: Type.Optional(text(200)),
    OriginalRepliedMessageSid: Type.Optional(sid('(SM|MM)')),
    OriginalRepliedMessageSender: Type.Optional(whatsAppNumber),
  }),
};

export type TwilioCallback = keyof typeof callbacks;

/** Another API, which the published file of this one does not have. */
const isContent = (operation: string): boolean => operation.includes(' /v1/Content/');

/** Operations are named as `POST /Calls.json`, below an account; `GET .json` is the account. */
export const twilioContract = {
  /** What is wrong with the fields of a request, in its query or as its form, if anything. */
  requestProblem(operation: string, fields: Fields): string | undefined {
    const schema = requests[operation];
    if (schema === undefined) return `${operation}: no such operation`;
    const problem = problemWith(operation, schema, fields);
    return (
      problem ??
      (isContent(operation) ? undefined : publishedTwilio()?.requestProblem(operation, fields))
    );
  },
  /** The same of what is answered. */
  resultProblem(operation: string, result: unknown): string | undefined {
    const schema = results[operation];
    if (schema === undefined) return `${operation}: no such operation`;
    const problem = problemWith(`the result of ${operation}`, schema, result);
    return (
      problem ??
      (isContent(operation) ? undefined : publishedTwilio()?.resultProblem(operation, result))
    );
  },
  callbackProblem: (name: TwilioCallback, fields: Fields) =>
    problemWith(name, callbacks[name], fields),
};
