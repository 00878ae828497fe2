// What is sent in the form of the API: a notice, or an answer.
import type { WhatsAppMessage, WhatsAppVariables } from '../../notices/whatsapp.ts';
import { fit } from '../../notices/words/wording.ts';
import type { CloudContent } from './client.ts';
import type { CloudConnection } from './connection.ts';

const TEXT_LENGTH = 4_096;

export const textContent = (body: string): CloudContent => ({
  type: 'text',
  text: { body: fit(body, TEXT_LENGTH), preview_url: false },
});

export function messageContent({ text, buttons }: WhatsAppMessage): CloudContent {
  if (buttons.length === 0) return textContent(text);
  return {
    type: 'interactive',
    interactive: {
      type: 'button',
      body: { text },
      action: {
        buttons: buttons.map(({ title, handle }) => ({
          type: 'reply',
          reply: { id: handle, title },
        })),
      },
    },
  };
}

/** Null: the connection has no template for it. */
export function templateContent(
  filled: WhatsAppVariables,
  {
    template,
    notice_template,
    language,
  }: Pick<CloudConnection['settings'], 'template' | 'notice_template' | 'language'>,
): CloudContent | null {
  const name = filled.template === 'page' ? template : notice_template;
  if (name === undefined) return null;
  const handles = filled.template === 'page' ? filled.handles : [];
  return {
    type: 'template',
    template: {
      name,
      language: { code: language },
      components: [
        {
          type: 'body',
          parameters: filled.variables.map((text) => ({ type: 'text', text })),
        },
        ...handles.map((payload, index) => ({
          type: 'button',
          sub_type: 'quick_reply',
          index: String(index),
          parameters: [{ type: 'payload', payload }],
        })),
      ],
    },
  };
}
