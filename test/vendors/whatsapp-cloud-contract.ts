// What Pager relies on of WhatsApp’s Cloud API, version 23.0, and of what Meta sends to its customers.
import Type, { type TSchema } from 'typebox';
import { exactly, oneOf, problemWith, text } from './contract.ts';

/** https://developers.facebook.com/docs/whatsapp/cloud-api/messages/interactive-reply-buttons-messages */
const bodyLengthMax = 1_024;
/** https://developers.facebook.com/docs/whatsapp/cloud-api/messages/text-messages */
const textLengthMax = 4_096;

/** A variable of a template: no line breaks, no tabs, and no five spaces in a row. */
const variable = Type.String({
  minLength: 1,
  maxLength: 1_024,
  pattern: '^(?!.* {5})[^\\n\\r\\t]+$',
});
const id = Type.String({ pattern: '^\\d{5,20}$' });

const message = {
  messaging_product: Type.Literal('whatsapp'),
  recipient_type: Type.Literal('individual'),
  to: Type.String({ pattern: '^\\+?[1-9]\\d{6,14}$' }),
  // https://developers.facebook.com/docs/whatsapp/business-platform/changelog: 512 characters.
  biz_opaque_callback_data: Type.Optional(text(512)),
};

const messages: Readonly<Record<string, TSchema>> = {
  text: exactly({
    ...message,
    type: Type.Literal('text'),
    text: exactly({ body: text(textLengthMax), preview_url: Type.Optional(Type.Boolean()) }),
  }),
  interactive: exactly({
    ...message,
    type: Type.Literal('interactive'),
    interactive: exactly({
      type: Type.Literal('button'),
      body: exactly({ text: text(bodyLengthMax) }),
      action: exactly({
        buttons: Type.Array(
          exactly({
            type: Type.Literal('reply'),
            reply: exactly({ id: text(256), title: text(20) }),
          }),
          { minItems: 1, maxItems: 3 },
        ),
      }),
    }),
  }),
  // https://developers.facebook.com/docs/whatsapp/cloud-api/guides/send-message-templates
  template: exactly({
    ...message,
    type: Type.Literal('template'),
    template: exactly({
      name: Type.String({ pattern: '^[a-z0-9_]{1,512}$' }),
      language: exactly({ code: Type.String({ pattern: '^[a-z]{2,3}(_[A-Z]{2,3})?$' }) }),
      components: Type.Array(
        Type.Union([
          exactly({
            type: Type.Literal('body'),
            parameters: Type.Array(exactly({ type: Type.Literal('text'), text: variable })),
          }),
          exactly({
            type: Type.Literal('button'),
            sub_type: Type.Literal('quick_reply'),
            index: Type.String({ pattern: '^[0-9]$' }),
            // https://developers.facebook.com/docs/whatsapp/cloud-api/reference/messages#button-parameter-object
            parameters: Type.Array(exactly({ type: Type.Literal('payload'), payload: text(256) }), {
              minItems: 1,
              maxItems: 1,
            }),
          }),
        ]),
      ),
    }),
  }),
};

const metadata = exactly({
  display_phone_number: Type.String({ pattern: '^\\d+$' }),
  phone_number_id: id,
});
const waId = Type.String({ pattern: '^\\d{7,15}$' });
const seconds = Type.String({ pattern: '^\\d{10}$' });
const wamid = Type.String({ pattern: '^wamid\\.' });
const inbound = { from: waId, id: wamid, timestamp: seconds };
const context = Type.Optional(exactly({ from: waId, id: wamid }));

const value = exactly({
  messaging_product: Type.Literal('whatsapp'),
  metadata,
  contacts: Type.Optional(
    Type.Array(exactly({ profile: exactly({ name: Type.String() }), wa_id: waId })),
  ),
  messages: Type.Optional(
    Type.Array(
      Type.Union([
        exactly({
          ...inbound,
          type: Type.Literal('text'),
          text: exactly({ body: Type.String() }),
        }),
        exactly({
          ...inbound,
          context,
          type: Type.Literal('button'),
          button: exactly({ payload: text(), text: text() }),
        }),
        exactly({
          ...inbound,
          context,
          type: Type.Literal('interactive'),
          interactive: exactly({
            type: Type.Literal('button_reply'),
            button_reply: exactly({ id: text(256), title: text(20) }),
          }),
        }),
        exactly({ ...inbound, type: Type.Literal('image'), image: exactly({ id: text() }) }),
      ]),
    ),
  ),
  // https://developers.facebook.com/docs/whatsapp/cloud-api/webhooks/components#statuses-object
  statuses: Type.Optional(
    Type.Array(
      exactly({
        id: wamid,
        status: oneOf('sent', 'delivered', 'read', 'failed'),
        timestamp: seconds,
        recipient_id: waId,
        biz_opaque_callback_data: Type.Optional(text(512)),
        errors: Type.Optional(
          Type.Array(
            exactly({
              code: Type.Integer(),
              title: text(),
              message: text(),
              error_data: exactly({ details: Type.String() }),
            }),
            { minItems: 1 },
          ),
        ),
      }),
    ),
  ),
});

const webhook = exactly({
  object: Type.Literal('whatsapp_business_account'),
  entry: Type.Array(
    exactly({
      id,
      changes: Type.Array(exactly({ field: Type.Literal('messages'), value }), { minItems: 1 }),
    }),
    { minItems: 1 },
  ),
});

export const whatsAppCloudContract = {
  /** What is wrong with a message to send, if anything. */
  messageProblem(sent: unknown): string | undefined {
    const { type } = (sent ?? {}) as { readonly type?: unknown };
    const schema = typeof type === 'string' ? messages[type] : undefined;
    if (schema === undefined) return `no such type of message: ${String(type)}`;
    return problemWith(`a message of type ${type}`, schema, sent);
  },
  /** Of what Meta sends to its customers. */
  webhookProblem: (sent: unknown) => problemWith('a webhook', webhook, sent),
};
