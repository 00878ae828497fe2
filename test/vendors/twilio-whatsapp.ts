// WhatsApp at the fake Twilio: content templates, when they may be sent, and what people write and press.
export const PAGE_CONTENT = 'HX0123456789abcdef0123456789abcdef';
export const NOTICE_CONTENT = 'HXfedcba9876543210fedcba9876543210';

type Status = 'unsubmitted' | 'pending' | 'approved' | 'rejected' | 'paused' | 'disabled';

export type FakeContent = {
  readonly sid: string;
  readonly name: string;
  body: string;
  buttons: readonly { readonly title: string; readonly id: string }[];
  status: Status;
  category: 'UTILITY' | 'MARKETING';
};

/** As the guide has them. */
export const contents = (): FakeContent[] => [
  {
    sid: PAGE_CONTENT,
    name: 'pager_page',
    body: 'Incident {{1}} needs you. Service: {{2}}. Problem: {{3}}. Acknowledge it if you are taking care of it.',
    buttons: [
      { title: 'Acknowledge', id: 'acknowledge' },
      { title: 'Resolve', id: 'resolve' },
    ],
    status: 'approved',
    category: 'UTILITY',
  },
  {
    sid: NOTICE_CONTENT,
    name: 'pager_notice',
    body: 'Pager: {{1}}. {{2}}. Open Pager for details.',
    buttons: [],
    status: 'approved',
    category: 'UTILITY',
  },
];

const variablesIn = (body: string) =>
  [...body.matchAll(/\{\{(\d+)\}\}/g)].map(([, name = '']) => name);

/** Null: they are not those of the template, each with a text of one line. */
export function filledIn({ body }: FakeContent, variables: string): string | null {
  let sent: unknown;
  try {
    sent = JSON.parse(variables);
  } catch {
    return null;
  }
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return null;
  const values = new Map(Object.entries(sent));
  const names = variablesIn(body);
  const isText = (value: unknown) =>
    typeof value === 'string' &&
    value !== '' &&
    !/[\n\t]| {5}/.test(value) &&
    value.length <= 1_600;
  if (names.length !== values.size || !names.every((name) => isText(values.get(name)))) return null;
  return body.replace(/\{\{(\d+)\}\}/g, (_, name: string) => String(values.get(name)));
}

const url = (sid: string) => `https://content.twilio.com/v1/Content/${sid}`;
const typeOf = ({ buttons }: FakeContent) =>
  buttons.length > 0 ? 'twilio/quick-reply' : 'twilio/text';

export const contentResource = (content: FakeContent, account: string) => ({
  sid: content.sid,
  account_sid: account,
  friendly_name: content.name,
  language: 'en',
  variables: Object.fromEntries(variablesIn(content.body).map((name) => [name, 'sample'])),
  types: {
    [typeOf(content)]: {
      body: content.body,
      ...(content.buttons.length > 0 && {
        actions: content.buttons.map((button) => ({ type: 'QUICK_REPLY', ...button })),
      }),
    },
  },
  date_created: '2026-01-01T00:00:00Z',
  date_updated: '2026-01-01T00:00:00Z',
  url: url(content.sid),
  links: {
    approval_create: `${url(content.sid)}/ApprovalRequests/whatsapp`,
    approval_fetch: `${url(content.sid)}/ApprovalRequests`,
  },
});

export const approvalResource = (content: FakeContent, account: string) => ({
  sid: content.sid,
  account_sid: account,
  url: `${url(content.sid)}/ApprovalRequests`,
  whatsapp: {
    name: content.name,
    category: content.category,
    content_type: typeOf(content),
    status: content.status,
    rejection_reason: content.status === 'rejected' ? 'INVALID_FORMAT' : '',
    allow_category_change: true,
    type: 'whatsapp',
    flows: null,
  },
});

type Message = {
  readonly sid: string;
  readonly from: string | null;
  readonly buttons: FakeContent['buttons'];
};

export type PressedButton = { readonly message: Message; readonly title: string };

/** What Twilio sends of a message in WhatsApp beside what it sends of any message. */
export function whatsAppFields(
  from: string,
  { pressed, repliedTo }: { readonly pressed?: PressedButton; readonly repliedTo?: Message },
) {
  const about = pressed?.message ?? repliedTo;
  const button = pressed?.message.buttons.find(({ title }) => title === pressed.title);
  if (pressed && !button) throw new Error(`the message has no button ${pressed.title}`);
  const context = {
    ProfileName: 'Ada',
    WaId: from.replace(/\D/g, ''),
    ...(button && { ButtonText: button.title }),
  };
  return {
    ReferralNumMedia: '0',
    MessageType: button ? 'button' : 'text',
    ...context,
    ChannelMetadata: JSON.stringify({ type: 'whatsapp', data: { context } }),
    ...(button && { ButtonPayload: button.id }),
    ...(about && {
      OriginalRepliedMessageSid: about.sid,
      OriginalRepliedMessageSender: about.from ?? '',
    }),
  };
}
