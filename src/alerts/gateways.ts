// What mail programs, mailing lists and gateways write in front of a subject: it says nothing of
// the problem, and may stand before one of its mails and not before another.

/** Of answers and forwards, as mail programs write them in their languages. */
const PREFIXES = [
  'RE|FW|FWD|AW|WG|Antw|Doorst|TR|RÉF|RV|RIF|R|I|RES|ENC|SV|VS|VB|VL|BLS|TRS|YNT|İLT|ILT|ODP|PD|VÁ',
  'Tov|Továbbítás|Redirecționat|Odg|Prosl|Posr|Ats|Pers|Atb|Pārs|YML|FS|Trả lời|Chuyển tiếp|CT',
  'Отв|Пересл|ПЕР|Отговор|Відп|ΑΠ|ΠΡΘ|ΣΧΕΤ|השב|תגובה|העבר|הועבר|رد|إعادة توجيه',
  '回复|答复|转发|回覆|答覆|轉寄|轉發|返信|転送|회신|답장|전달',
].join('|');
const FORWARD = new RegExp(
  `^(?:${PREFIXES})\\s?(?:\\[\\d{1,4}\\]|\\(\\d{1,4}\\)|\\^\\d{1,4})?\\s?[:：]\\s*`,
  'iu',
);

const OUTSIDE =
  'ext(?:ern(?:al|e|o|s|a|í|y|ý)?)?|estern[oa]|zewnętrzn[aey]|ulkoinen|külső|внешн(?:ее|ий|яя)|dış|外部|社外|外部邮件|외부';
const MAILS =
  '(?:[\\s._:-]{0,3}(?:e-?mails?|mails?|sender|message|source|origin|absender|nachricht|correo|mittente|expéditeur|afzender|メール|邮件|郵件))?';
const WARNING =
  '(?:(?:warning|caution|attention|achtung|vorsicht|hinweis|attenzione|atención)[\\s:!-]{1,3})?';
const SPAM =
  '(?:(?:possible|probable|suspected|likely|potential)[\\s_-])?(?:spam|junk|bulk|graymail)';
const OTHERS =
  'unchecked|unscannable|encrypted|secure|suspicious (?:mail|message)|verschlüsselt|sicher';
const TAG = new RegExp(
  `^(?:${WARNING}(?:${OUTSIDE})${MAILS}|${SPAM}${MAILS}|${OTHERS})[!?*]{0,3}(?:[\\s(:]{0,3}[\\d.,/]{1,9}\\)?)?$`,
  'iu',
);

const ENCLOSED = [
  /^\[\s?([^[\]]{1,60}?)\s?\][\s:-]*/u,
  /^\(\s?([^()]{1,60}?)\s?\)[\s:-]*/u,
  /^\{\s?([^{}]{1,60}?)\s?\}[\s:-]*/u,
  /^<\s?([^<>]{1,60}?)\s?>[\s:-]*/u,
  /^【\s?([^【】]{1,60}?)\s?】[\s:：-]*/u,
  /^\*{1,8}\s?([^*]{1,60}?)\s?\*{1,8}[\s:-]*/u,
  /^#{1,8}\s?([^#]{1,60}?)\s?#{1,8}[\s:-]*/u,
  /^-{1,3}\s?([^-]{1,60}?)\s?-{1,3}[\s:]*/u,
  /^([\p{L} -]{3,40}?)\s?[:：]\s*/u,
];

const MOST = 12;

/** The line without them. A line of nothing else is left as it is. */
export function withoutGateways(line: string): string {
  let rest = line.trim();
  for (let count = 0; count < MOST; count += 1) {
    const shorter = withoutOne(rest).trim();
    if (shorter === rest) break;
    rest = shorter;
  }
  return rest === '' ? line.trim() : rest;
}

function withoutOne(line: string): string {
  const unforwarded = line.replace(FORWARD, '');
  if (unforwarded !== line) return unforwarded;
  for (const form of ENCLOSED) {
    const [whole = '', content = ''] = form.exec(line) ?? [];
    if (whole !== '' && TAG.test(content)) return line.slice(whole.length);
  }
  return line;
}

/** Without tags in brackets either, whatever they say. */
export const withoutTags = (line: string): string =>
  withoutGateways(withoutGateways(line).replace(/^(?:\[[^[\]]{1,80}\]\s*){1,4}/, ''));
