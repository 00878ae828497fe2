// A notice in WhatsApp: as a message with buttons while the person has just written, and otherwise as the
// variables of a template. What came from outside is cut, and loses its links.

import { knownLanguage } from '../resources/language.ts';
import { shownLabel } from '../resources/priorities.ts';
import { type IncidentNotice, offeredActions } from './kinds/incident.ts';
import { type Notice, wordsOf } from './notice.ts';
import { replyKeys } from './sms.ts';
import { phrasesOf } from './words/of-notice.ts';
import { fit, headingOf, lineOf, withoutLinks } from './words/wording.ts';

/** https://developers.facebook.com/docs/whatsapp/cloud-api/messages/interactive-reply-buttons-messages */
const BODY_LENGTH_MAX = 1_024;
const LINE_LENGTH_MAX = 120;
const HEADING_LENGTH_MAX = 200;
const FACTS_LENGTH_MAX = 250;
/** A longer address would leave no room for the rest. */
const URL_LENGTH_MAX = 200;
/** Of all variables of a template, which has 1,024 characters with its own words. */
const TITLE_LENGTH_MAX = 500;
const VARIABLE_LENGTH_MAX = 100;
/** Beyond what a message holds. */
const LENGTH_READ = 4_000;

export type WhatsAppButton = { readonly title: string; readonly handle: string };

export type WhatsAppMessage = {
  readonly text: string;
  /** Three at most. */
  readonly buttons: readonly WhatsAppButton[];
};

/** Each variable is one line, and not empty. */
export type WhatsAppVariables =
  | {
      readonly template: 'page';
      readonly variables: readonly [number: string, service: string, title: string];
      /** What its two buttons carry: acknowledge, then resolve. */
      readonly handles: readonly [string, string];
    }
  | { readonly template: 'notice'; readonly variables: readonly [lead: string, title: string] };

export function whatsAppMessageOf(notice: Notice): WhatsAppMessage {
  const words = wordsOf(notice);
  const lead = line(words.lead);
  const heading = fit(headingOf(words, cleaned(words.title)), HEADING_LENGTH_MAX);
  const facts = fit(
    words.facts.map(({ name, value }) => `${name}: ${cleaned(value)}`).join('\n'),
    FACTS_LENGTH_MAX,
  );
  const footer = [words.organization, words.why].filter((part) => part !== '').map(cleaned);
  const { url = '' } = words;
  const last = [url.length > URL_LENGTH_MAX ? '' : url, line(footer.join(' · '))];
  const others = [`*${lead}*`, heading, facts, ...last];
  const spent = others.reduce((sum, part) => sum + part.length + 1, 0);
  const details = fit(
    withoutLinks(words.details.slice(0, LENGTH_READ)),
    BODY_LENGTH_MAX - spent - 1,
  );
  return {
    text: [`*${lead}*`, heading, facts, details, ...last].filter((part) => part !== '').join('\n'),
    buttons: buttonsOf(notice),
  };
}

function buttonsOf(notice: Notice): readonly WhatsAppButton[] {
  if (notice.about !== 'incident') return [];
  const { gotIt, handles, readOnlyRole, incident } = notice;
  const { button } = phrasesOf(notice);
  if (gotIt) return [{ title: button.gotIt, handle: gotIt.handle }];
  if (handles === undefined || readOnlyRole !== undefined) return [];
  return offeredActions[incident.status].map((action) => ({
    title: button[action],
    handle: handles[action],
  }));
}

/** The same without buttons: what to write instead stands last. */
export function whatsAppTextOf(
  notice: Notice,
  { canReply }: { readonly canReply: boolean },
): string {
  const { text, buttons } = whatsAppMessageOf(notice);
  if (notice.about !== 'incident' || notice.gotIt || !canReply || buttons.length === 0) return text;
  const { number, status } = notice.incident;
  const { button } = phrasesOf(notice);
  const replies = offeredActions[status].map(
    (action) => `${replyKeys[action]} ${number} = ${button[action]}`,
  );
  return [text, ...replies].join('\n');
}

/** In the language of the template, as `de` or `en_US`: its own words are around them. */
export function whatsAppVariablesOf(notice: Notice, template = 'en'): WhatsAppVariables {
  const language = knownLanguage(template.split(/[_-]/, 1)[0]);
  const words = wordsOf({ ...notice, language });
  const handles = notice.about === 'incident' ? handlesOf(notice) : null;
  if (notice.about === 'incident' && handles !== null) {
    const { priority, service } = notice.incident;
    const number = [words.label, shownLabel(priority)].filter((part) => part !== '').join(' ');
    return {
      template: 'page',
      variables: [variable(number), variable(service), variable(words.title, TITLE_LENGTH_MAX)],
      handles,
    };
  }
  const title = headingOf(words, cleaned(words.title));
  return {
    template: 'notice',
    variables: [variable(words.lead), variable(title, TITLE_LENGTH_MAX)],
  };
}

/** The buttons of a template are always there: a test page is confirmed by either. */
function handlesOf({ gotIt, handles, incident }: IncidentNotice): readonly [string, string] | null {
  if (gotIt) return [gotIt.handle, gotIt.handle];
  if (handles === undefined || incident.status === 'resolved') return null;
  return [handles.acknowledge, handles.resolve];
}

const cleaned = (text: string): string => lineOf(withoutLinks(text.slice(0, LENGTH_READ))).trim();

const line = (text: string): string => fit(cleaned(text), LINE_LENGTH_MAX);

const variable = (text: string, max = VARIABLE_LENGTH_MAX): string =>
  fit(cleaned(text), max) || '-';
