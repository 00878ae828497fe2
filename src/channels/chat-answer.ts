// How somebody who acted in a chat is answered, whatever the chat is.
import type { IncidentNotice } from '../notices/kinds/incident.ts';
import type { Reply } from '../replies/inbound.ts';

type Ways = {
  /** Has the message that they pressed show something. Null: they pressed none. */
  readonly edit: ((notice: IncidentNotice) => Promise<string | null>) | null;
  /** Shows it to them alone. */
  readonly show: (reply: NonNullable<Reply>) => Promise<string | null>;
};

/**
 * Why they could not be answered; null: they were. An edit that shows what was done is the answer; all
 * else is shown to whoever asked alone.
 */
export async function answerInChat(
  reply: NonNullable<Reply>,
  { edit, show }: Ways,
): Promise<string | null> {
  const { notice, taken } = reply.edit ?? {};
  const edited = edit && notice ? await edit({ ...notice, ...(taken && { taken }) }) : null;
  if (edit && taken && edited === null) return null;
  return (await show(reply)) ?? edited;
}
