// What every way to WhatsApp has in common: its pace, when text of any content may be sent, and how the
// messages of people are read.
import type { HandedOver } from '../engine/sending/channel.ts';
import { fit, lineOf } from '../notices/words/wording.ts';
import type { Inbound } from '../replies/inbound.ts';
import { linkCodeIn } from '../resources/connections/whatsapp-link.ts';
import type { Connected, Lane } from './lanes.ts';
import type { VendorFault } from './vendor-fault.ts';

/** Of a number, by default. */
export const numberLane: Lane = { name: 'whatsapp', perSecond: 80 };

/** WhatsApp takes a burst of 45 messages to a person, and then one in six seconds. */
export const personLane = (address: string): Lane => ({
  name: `whatsapp ${address}`,
  perSecond: 1,
  perSecondOnceRefused: 1 / 6,
});

export const HOLD_SECONDS = 6;

/** Whether the person has just written to the connection, so that it may write to them freely. */
export type HasOpenWindow = (
  connection: Connected,
  contact: { readonly channel: string; readonly address: string },
) => Promise<boolean>;

/** What was sent before has not arrived: the template always may. */
export async function mayWriteFreely(
  { hasOpenWindow }: { readonly hasOpenWindow: HasOpenWindow },
  connection: Connected,
  { address, earlier }: { readonly address: string; readonly earlier: readonly HandedOver[] },
): Promise<boolean> {
  const isTried = earlier.some(({ connectionId }) => connectionId === connection.id);
  return !isTried && (await hasOpenWindow(connection, { channel: 'whatsapp', address }));
}

/** What the templates of a connection have, which src/notices/whatsapp.ts fills in. */
export type TemplateForm = { readonly variables: number; readonly buttons: readonly string[] };
export const templateOfPages: TemplateForm = { variables: 3, buttons: ['acknowledge', 'resolve'] };
export const templateOfNotices: TemplateForm = { variables: 2, buttons: [] };

/** Whatever is wrong with the message itself. `outside`: the error for a window that is over. */
export const mayArriveAsTemplate = (
  { blame, code }: Pick<VendorFault<string>, 'blame'> & { readonly code: number },
  outside: number,
): boolean => blame === 'unlisted' || code === outside;

/** Another number may have a template for it. `setting`: where this one would name its own. */
export const withoutTemplate = (name: string, setting: string) =>
  ({
    blame: 'connection',
    reason: `${name}: the person last wrote more than 24 hours ago, and the connection has no ${setting}`,
    code: 0,
    maybeExecuted: false,
    isUnasked: true,
  }) as const;

/** Words by which people stop messages, and allow them again. */
const stop = /^(?:stop|stopall|unsubscribe|opt[ -]?out)[.!]?$/i;
const start = /^(?:start|unstop|opt[ -]?in)[.!]?$/i;

const NAME_LENGTH_READ = 100;

/** How somebody calls themselves there. */
export const senderNameOf = (name: string): string => fit(lineOf(name), NAME_LENGTH_READ);

type Event = {
  readonly address: string;
  readonly eventId: string;
  readonly writtenAt?: Temporal.Instant;
};
type Text = Extract<Inbound, { readonly type: 'text' }>;
type Sender = Pick<Text, 'senderName' | 'repliedTo'>;

/** Of what somebody has written: a code that links them, a word that stops messages, or a text. */
export function inboundOfWritten(text: string, event: Event, sender: Sender = {}): Inbound {
  const code = linkCodeIn(text);
  if (code !== null) return { type: 'start', code, ...event };
  // Nobody but Pager confirms it.
  if (stop.test(text)) return { type: 'blocked', isUnconfirmed: true, ...event };
  if (start.test(text)) return { type: 'restored', isUnconfirmed: true, ...event };
  return { type: 'text', text, ...event, ...sender };
}
