// A notice as ntfy publishes it. What an alert says stands in title and message alone.
import type { Notice } from './notice.ts';
import type { PushMessage } from './push.ts';
import { phrasesOf } from './words/of-notice.ts';

export type NtfyMessage = {
  readonly topic: string;
  readonly title: string;
  readonly message: string;
  readonly priority: number;
  /** A message takes the place of another with the same one. */
  readonly sequence_id: string;
  readonly click: string;
  readonly actions: readonly NtfyAction[];
};
type NtfyAction = {
  readonly action: 'http';
  readonly label: string;
  readonly url: string;
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly clear: true;
};

const priorities = { page: 5, other: 3, silent: 2 } as const;

export function ntfyMessageOf(
  notice: Notice,
  { content }: PushMessage,
  { topic, publicUrl }: { readonly topic: string; readonly publicUrl: string },
): NtfyMessage {
  const urlOf = (path: string) => new URL(path, publicUrl).href;
  return {
    topic,
    title: content.title,
    message:
      notice.about === 'contact' ? phrasesOf(notice).code.line(notice.proof.code) : content.body,
    priority: priorities[loudnessOf(notice, content.silent)],
    sequence_id: content.tag,
    click: urlOf(content.path),
    actions: content.actions.map(({ title: label, path }) => ({
      action: 'http',
      label,
      url: urlOf(path),
      method: 'POST',
      headers: { Accept: 'application/json' },
      clear: true,
    })),
  };
}

function loudnessOf({ about }: Notice, isSilent: boolean): keyof typeof priorities {
  if (about === 'contact') return 'other';
  if (isSilent) return 'silent';
  return about === 'incident' || about === 'summary' ? 'page' : 'other';
}
