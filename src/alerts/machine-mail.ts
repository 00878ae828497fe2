// Mails that machines write about other mails: answers, reports of delivery, receipts, moderation.
// They open nothing. A monitor's mail is marked as generated too, and mail rules add headers of their
// own to what they forward: so nothing less than these signs tells.
import type { Mail } from './alert.ts';
import { withoutTags } from './gateways.ts';

/** What an answering machine writes in front of a subject, as mail programs have it in their languages. */
const ANSWERS = [
  'automatic reply|auto(?:matic)?[- ]?(?:reply|response|antwort)|out of (?:the )?office|automatische antwort',
  'abwesenheits(?:notiz|nachricht|meldung|assistent)|abwesend|réponse automatique|absence du bureau',
  'respuesta automática|fuera de (?:la )?oficina|risposta automatica|fuori sede|resposta automática',
  'automatisch antwoord|afwezig(?:heid)?(?:sbericht)?|autosvar|automatisk svar|automatiskt svar|frånvaro',
  'automaattinen vastaus|poissaolo|odpowiedź automatyczna|automatyczna odpowiedź|poza biurem',
  'automatická odpověď|automatická odpoveď|automatikus válasz|răspuns automat|автоответ|автоматический ответ',
  'автоматична відповідь|автоматичен отговор|otomatik yanıt|αυτόματη απάντηση|automaticky odgovor',
  'automatski odgovor|samodejni odgovor|automātiskā atbilde|automatinis atsakymas|automaatvastus',
  '自動返信|自動応答|不在|自动答复|自动回复|自動回覆|自動答覆|자동 회신|부재 중|trả lời tự động|balasan otomatis|תשובה אוטומטית|رد تلقائي',
].join('|');
const REPORTS = [
  'undeliver(?:able|ed)|unzustellbar|non remis|no se puede entregar|non recapitabile|não entregue',
  'onbestelbaar|mail delivery (?:failed|failure)|failure notice|returned mail|delivery status notification',
  'delivery (?:delayed|failure)|read|not read|gelesen|ungelesen|lu|leído|letto|lida|gelezen|delivered|zugestellt|relayed',
  'accepted|declined|tentative|zugesagt|abgesagt|recall|配信不能|未送達|无法传递|无法投递',
].join('|');
const ANSWER = new RegExp(`^(?:${ANSWERS})(?![\\p{L}\\p{N}])`, 'iu');
const REPORT = new RegExp(`^(?:${REPORTS})(?:\\s?[:：]|\\s\\(|\\s?$)`, 'iu');
/** From a mail system itself. */
const SYSTEM = /^(?:mailer-daemon|postmaster|mail-daemon|microsoftexchange[0-9a-f]*)(?:@|$)/i;

/** Why a mail opens nothing, if it is such a one. */
export function machineMail({ subject, from, headers }: Mail): string | undefined {
  const of = (name: string): string => headers[name]?.trim() ?? '';
  if (headers['x-pager-notice'] !== undefined) return 'Pager sent it itself';
  if (/^auto-replied/i.test(of('auto-submitted'))) return 'it is an automatic reply';
  if (/^multipart\/report\b/i.test(of('content-type')))
    return 'it is a report about another mail, such as its delivery';
  if (/^(?:yes|true|1)\b/i.test(of('x-list-administrivia')))
    return 'a mailing list sent it about another mail';
  if (/^auto[-_]reply/i.test(of('precedence')) || of('x-autoreply') || of('x-autorespond'))
    return 'it is an automatic reply';
  const line = withoutTags(subject);
  if (isMarked(headers) && (ANSWER.test(line) || REPORT.test(line)))
    return 'it is an automatic reply';
  if (SYSTEM.test(from) && REPORT.test(line))
    return 'it is a report about another mail, such as its delivery';
  return undefined;
}

/** By headers that other mails have too: those of a monitor, and those that a mail rule forwards. */
const isMarked = (headers: Mail['headers']): boolean =>
  /^auto-/i.test(headers['auto-submitted']?.trim() ?? '') ||
  /^(?:bulk|junk|list)$/i.test(headers['precedence']?.trim() ?? '') ||
  ['x-auto-response-suppress', 'x-ms-exchange-generated-message-source'].some(
    (name) => headers[name] !== undefined,
  );
