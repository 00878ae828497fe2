// What Twilio is answered: what a person hears after they pressed a key, or reads after they wrote.
import { speechOf } from '../../notices/speech.ts';
import { cutIn, encodingOf, inGsm7 } from '../../notices/words/gsm7.ts';
import { phrasesIn } from '../../notices/words/phrases.ts';
import { spoken } from '../../notices/words/pronounce.ts';
import { fit } from '../../notices/words/wording.ts';
import type { CallbackAnswer, CallbackRequest, Replied } from '../../replies/callback.ts';
import type { Reply } from '../../replies/inbound.ts';
import { defaultLanguage } from '../../resources/language.ts';
import { emptyResponse, goodbyeResponse, messageResponse, readOut } from './twiml.ts';

const SPOKEN_LENGTH = 300;

/** Twilio sends one thing at a time. */
export const answerOf = (
  [replied]: readonly Replied[],
  request: CallbackRequest,
): CallbackAnswer => ({
  status: 200,
  contentType: 'text/xml; charset=utf-8',
  body: replied === undefined ? emptyResponse : body(replied, request),
});

function body({ inbound: { type }, reply }: Replied, { channel, url }: CallbackRequest): string {
  if (channel === 'whatsapp')
    return reply === null ? emptyResponse : messageResponse(whatsAppAnswer(reply));
  if (type === 'text' || type === 'restored')
    return reply === null ? emptyResponse : messageResponse(shortAnswer(reply.text));
  if (type !== 'key') return emptyResponse;
  const language = reply?.language ?? defaultLanguage;
  const { locale, spoken: words } = phrasesIn(language);
  const text = fit(spoken(reply?.text ?? '', language), SPOKEN_LENGTH);
  if (reply?.notice === undefined)
    return goodbyeResponse(locale, [text, words.goodbye].filter(Boolean));
  const { notice, handle } = reply;
  const isNext = handle !== undefined;
  const speech = speechOf(notice, { hasKeys: true, isNext });
  // The handle stands last in the address.
  const keysTo = handle === undefined ? url : url.replace(/[^/]*$/, handle);
  // A key that is pressed meanwhile is about the one before.
  const opening = isNext
    ? { first: `${text} ${words.next}`.trim(), isHeardOut: true }
    : { first: text };
  return readOut(speech, speech.hasKeys ? keysTo : null, opening);
}

/** What WhatsApp takes by way of Twilio. */
const WHATSAPP_LENGTH = 1_600;

export const whatsAppAnswer = ({ text, link }: NonNullable<Reply>): string =>
  fit(link === undefined ? text : `${text} ${link.href}`, WHATSAPP_LENGTH);

/** Two segments at most: an answer is read by somebody who waits for it. */
export function shortAnswer(text: string): string {
  const sent = inGsm7(text);
  const encoding = encodingOf(sent);
  return cutIn(encoding, sent, 2 * encoding.joined);
}
