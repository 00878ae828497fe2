// Mails that machines write about other mails: answers, reports of delivery, receipts, moderation.
// They open nothing. A monitor's mail is marked as generated too, and mail rules add headers of their
// own to what they forward: so nothing less than these signs tells.
import type { Mail } from './alert.ts';
import { withoutTags } from './gateways.ts';

/** What an answering machine writes in front of a subject, as mail programs have it in their languages. */
const ANSWERS = [
  'automatic reply|auto(?:matic)?[- ]?(?:reply|response|antwort)|out of (?:the )?office(?: auto-?reply)?|automatische antwort',
  'abwesenheits(?:notiz|nachricht|meldung|assistent)|réponse automatique|absence du bureau',
  'respuesta automática|fuera de (?:la )?oficina|risposta automatica|fuori sede|resposta automática',
  'automatisch antwoord|afwezigheidsbericht|autosvar|automatisk svar|automatiskt svar',
  'automaattinen vastaus|poissaoloilmoitus|odpowiedź automatyczna|automatyczna odpowiedź|poza biurem',
  'automatická odpověď|automatická odpoveď|automatikus válasz|răspuns automat|автоответ|автоматический ответ',
  'автоматична відповідь|автоматичен отговор|otomatik yanıt|αυτόματη απάντηση|automaticky odgovor',
  'automatski odgovor|samodejni odgovor|automātiskā atbilde|automatinis atsakymas|automaatvastus',
  '自動返信|自動応答|不在通知|自动答复|自动回复|自動回覆|自動答覆|자동 회신|부재 중|trả lời tự động|balasan otomatis|תשובה אוטומטית|رد تلقائي',
].join('|');
/** The subjects of Exchange's reports, in its languages. */
const UNDELIVERABLE = [
  'undeliverable|unzustellbar|non remis|no se puede entregar|non recapitabile|não entregue',
  'onbestelbaar|配信不能|未送達|无法传递|无法投递',
].join('|');
/** What mail systems call their reports; what follows may be a reason, or the subject of the mail. */
const REPORTS = [
  `${UNDELIVERABLE}|undelivered(?: mail(?: returned to sender)?)?|undeliverable (?:mail|message)|non-?deliverable mail`,
  '(?:e-?)?mail delivery (?:failed|failure|error)|(?:message )?delivery (?:failed|failure|error|delayed)|failure notice',
  'returned mail|mail system error|delivery (?:status )?notification|delayed mail',
  '(?:warning: )?(?:could not send message for|message \\S{1,80} delayed)\\b.{0,80}',
].join('|');
/** Behind it nothing, or the subject of the mail that is answered: else it is what a monitor reports. */
const ANSWER = new RegExp(`^(?:${ANSWERS})\\s?(?:[:：]|$)`, 'iu');
const EXCHANGE = new RegExp(`^(?:${UNDELIVERABLE})\\s?[:：]`, 'iu');
const REPORT = new RegExp(`^(?:${REPORTS})\\s?(?:[:：]|\\(|\\s[–—-]\\s|$)`, 'iu');
/** HCL Notes: AUTO: Max Muster is out of the office (returning 11/30/2026) */
const NOTES =
  /^AUTO: .{1,200} (?:is out of (?:the )?office|is away|ist (?:außer haus|nicht im (?:büro|haus)|abwesend)|est absente?(?:\(e\))?(?: du bureau)?|está (?:fuera de la oficina|ausente)|è (?:fuori (?:ufficio|sede)|assente)|is (?:afwezig|niet op kantoor))\b/iu;
/** From a mail system itself. */
const SYSTEM = /^(?:mailer-daemon|postmaster|mail-daemon|microsoftexchange[0-9a-f]*)(?:@|$)/i;

/** Why a mail opens nothing, if it is such a one. */
export function machineMail({ subject, from, headers }: Mail): string | undefined {
  const of = (name: string): string => headers[name]?.trim() ?? '';
  if (headers['x-pager-notice'] !== undefined) return 'Pager sent it itself';
  if (/^auto-(?:replied|\w+\s?\(vacation\))/i.test(of('auto-submitted')))
    return 'it is an automatic reply';
  if (/^multipart\/report\b/i.test(of('content-type')))
    return 'it is a report about another e-mail, such as its delivery';
  if (/^text\/calendar\b.{0,200};\s{0,10}method="?reply\b/i.test(of('content-type')))
    return 'it is a reply to an invitation';
  if (/^(?:yes|true|1)\b/i.test(of('x-list-administrivia')))
    return 'a mailing list sent it about another e-mail';
  if (/^auto[-_]reply/i.test(of('precedence')) || of('x-autoreply') || of('x-autorespond'))
    return 'it is an automatic reply';
  const line = withoutTags(subject);
  if (isMarked(headers) && (ANSWER.test(line) || NOTES.test(line)))
    return 'it is an automatic reply';
  if ((SYSTEM.test(from) && REPORT.test(line)) || (isOfExchange(headers) && EXCHANGE.test(line)))
    return 'it is a report about another e-mail, such as its delivery';
  return undefined;
}

const OF_EXCHANGE = 'x-ms-exchange-generated-message-source';
const isOfExchange = (headers: Mail['headers']): boolean => headers[OF_EXCHANGE] !== undefined;

/** By headers that other mails have too: those of a monitor, and those that a mail rule forwards. */
const isMarked = (headers: Mail['headers']): boolean =>
  isOfExchange(headers) ||
  headers['x-auto-response-suppress'] !== undefined ||
  /^auto-/i.test(headers['auto-submitted']?.trim() ?? '') ||
  /^(?:bulk|junk|list)$/i.test(headers['precedence']?.trim() ?? '');
