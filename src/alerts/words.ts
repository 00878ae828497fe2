import { eventsLimits } from '../limits/events.ts';
import type { Action, Json, JsonObject, Link, Priority, Severity } from './alert.ts';
import { isObject, oneLine, titleOf } from './text.ts';

const ASCII = /^[ -~]*$/;
const ACCENTS = /[\u0300-\u036f]/g;

const severities = table<Severity>({
  sev1: `sev0 sev1 p1 1 critical crit fatal disaster emergency emerg panic alert highest down
    failure`,
  sev2: 'sev2 p2 2 error err high major severe',
  sev3: `sev3 sev4 sev5 p3 p4 p5 3 warning warn average medium moderate minor low lowest
    info information informational notice unknown debug`,
});

const priorities = table<Priority>({
  p1: 'p1 1 critical highest urgent sev1',
  p2: 'p2 2 high error sev2',
  p3: 'p3 3 medium moderate normal warning average sev3',
  p4: 'p4 4 low minor',
  p5: 'p5 5 lowest info information informational',
});

const actions = table<Action>({
  // Words of other languages are those that tools show in them.
  trigger: `trigger triggered firing fired alerting alert problem down offline failed failure failing
    critical error open opened new breached störung ausgefallen problème panne problema caída caído
    fallo falha guasto storing probleem problém ongelma výpadek awaria проблема авария сбой sorun
    πρόβλημα 障害 異常 ダウン 故障 问题 异常 宕机 장애`,
  acknowledge: 'acknowledge acknowledged ack acknowledgement bestätigt quittiert acquitté',
  resolve: `resolve resolved ok okay recovery recovered recover clear cleared close closed up
    normal success succeeded successful fixed healthy inactive online passed passing solved restored
    behoben gelöst erreichbar wiederhergestellt entwarnung résolu résolue rétabli rétablie resuelto
    resuelta recuperado recuperada restablecido solucionado resolvido resolvida normalizado
    restaurado restabelecido risolto risolta ripristinato ripristinata opgelost hersteld
    åtgärdat återställd løst gjenopprettet genoprettet ratkaistu palautunut korjattu rozwiązany
    rozwiązano przywrócono naprawiono vyřešeno obnoveno vyriešené obnovené megoldva megoldódott
    helyreállt rezolvat remediat restabilit решено решена решён восстановлено восстановлен
    восстановлена устранено вирішено відновлено решен възстановен çözüldü düzeldi επιλύθηκε
    αποκαταστάθηκε 復旧 解決 解消 回復 正常 恢复 恢復 已解决 已解決 已恢复 已恢復 해결 해결됨 복구 복구됨
    정상`,
});

/**
 * What a word means in a text, where the state of a problem has no field of its own. A `noun` or a
 * `grade` begins a problem unless an end stands next to it: *Alert resolved*. An `opening` or a `rank`
 * does so only in front, and a `well` ends only behind; in
 * front a `maybe` is a weaker sign. A `kind` tells one problem from another and
 * stays in the key.
 */
export type Sense =
  | ('end' | 'well' | 'maybe' | 'trouble' | 'opening' | 'noun' | 'grade' | 'rank' | 'acknowledge')
  | ('denial' | 'kind' | 'filler' | 'verb' | 'span');

/** By a word, or by several with spaces between them, which are written here with `_`. */
const senses = new Map<string, Sense>([
  ...[...actions].map(([word, action]): [string, Sense] => [word, senseOfAction(action)]),
  ...terms<Exclude<Sense, 'acknowledge'>>({
    end: `all_clear all_ok back_to_normal back_online deactivated erfolg erfolgreich succès réussi éxito
      exitoso sucesso successo geslaagd`,
    // In front these may be the name of a shop, or a rank.
    maybe: 'online inactive fixed close passing passed healthy normal',
    well: `back_up ended responding reachable available accessible connected running alive fine good
      stable green`,
    trouble: `unhealthy degraded unreachable unavailable inaccessible flapping not_responding
      not_running not_ok no_data nodata
      insufficient_data insufficientdata retriggered stopped activated fired triggered nere nede недоступен nicht_erreichbar
      injoignable inaccessible caduto onbereikbaar 发生 発生 触发`,
    opening: `open opened new started created raised begun trigger begonnen ouvert
      abierto aperto`,
    noun: `alert alerts alarm alarms problem problems incident incidents issue issues event events
      error errors failure failures outage outages fault faults notification störung alarmierung
      ausfall fehler alerte alarme erreur panne incidente alerta alarma avería fallo errore allarme
      guasto avviso problème problema problém probleem storing melding hälytys ongelma vika larm fel fejl feil awaria błąd chyba porucha hiba riasztás probléma eroare alertă problemă
      проблема авария тревога сбой ошибка уведомление sorun uyarı hata arıza πρόβλημα συναγερμός
      sự_cố cảnh_báo masalah gangguan peringatan 障害 アラート 警報 告警 报警 警报 警報 故障 问题 問題
      장애 알람 알림 문제 경고`,
    rank: `info information informational notice disaster major minor high average low severe fatal
      emergency urgent sev0 sev1 sev2 sev3 sev4 sev5 p0 p1 p2 p3 p4 p5 s1 s2 s3 s4`,
    grade: `critical crit warning warn unknown unkn red yellow kritisch warnung critique avertissement crítico crítica aviso
      advertencia critico critica waarschuwing kritiek varning kritisk advarsel varoitus kriittinen
      ostrzeżenie krytyczny varování kritický figyelmeztetés avertisment critic предупреждение
      критический kritik 警告 重大 紧急 緊急 严重 嚴重`,
    denial: `not never no non isn't wasn't hasn't haven't can't cannot couldn't unable partially
      partial incomplete pending still nicht nie kein keine pas jamais nunca não niet geen inte ikke
      ei nie ne nem nu не değil δεν`,
    kind: `host service services server site website monitor monitoring uptime check device node
      sensor job task backup port interface disk cpu memory transaction certificate ssl
      domain endpoint url cluster pod instance database queue hostname servidor serveur dienst
      servicio serviço servizio serwer хост сервис sunucu ホスト サービス 主机 服务`,
    filler: `now back again currently fully the your a an state status update updated update:
      message wieder jetzt de_nouveau encore otra_vez de_nuevo novamente nuovamente weer opnieuw
      igen på_nytt ponownie znowu opět znovu tekrar снова severity`,
    verb: `is are was were has have had been be went came come gone goes comes became got turned ist sind
      wurde wurden hat war est sont été a_été está es ha sido fue foi é è sono stato stata werd zijn
      är har blev er blitt on_nyt jest został została je byl byla oldu`,
    span: 'in after within for since nach seit après depuis dopo da tras desde após na efter по после',
  }),
]);

function senseOfAction(action: Action): Sense {
  return action === 'resolve' ? 'end' : action === 'trigger' ? 'trouble' : 'acknowledge';
}

/** What one word, or several that belong together, mean in a text. */
export const senseOf = (words: string): Sense | undefined => senses.get(termOf(words, ' '));

/**
 * Words that tell of trouble in a sentence without being a state: beside a weaker sign of an end
 * they deny it. *The fan is OK, battery low.*
 */
const troubles: ReadonlySet<string> = new Set([
  ...table<'x'>({
    x: `critical crit warning warn error errors failure failures outage outages fault faults fehler
      ausfall störung kritisch erreur panne fallo avería errore guasto fout fel fejl feil 障害 故障
      dead lost disconnected timeout timed breach exceeded overloaded unstable but still however except although despite battery degrading broken full overheating stuck
      overdue missing corrupt corrupted refused denied rejected exhausted leaking slow delayed late
      expired expiring crash crashed panic killed hung aborted cancelled unresponsive loss drop
      dropped failover rebooting aber jedoch trotz mais pero aunque ma però maar men ale но ama`,
  }).keys(),
]);

/** Whether a word of a sentence tells of trouble, or denies what stands beside it. */
export function isTrouble(word: string): boolean {
  const sense = senseOf(word);
  return sense === 'trouble' || sense === 'denial' || troubles.has(plain(word));
}

/** The word that says the opposite of an end, where there is exactly one. */
const opposites: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ up: 'down', online: 'offline', succeeded: 'failed', successful: 'failed' },
    ...{ passed: 'failed', reachable: 'unreachable', available: 'unavailable' },
    ...{ healthy: 'unhealthy', connected: 'disconnected', accessible: 'inaccessible' },
  }),
);

export const oppositeOf = (word: string): string | undefined => opposites.get(word.toLowerCase());

/** The severity that a tool's word stands for; undefined for an unknown word. */
export function severityOf(value: Json | undefined): Severity | undefined {
  return severities.get(plain(value));
}

export function priorityOf(value: Json | undefined): Priority | undefined {
  return priorities.get(plain(value));
}

/** The action that a tool's word for a state stands for; an unknown word triggers. */
export function actionOf(value: Json | undefined): Action {
  return knownAction(value) ?? 'trigger';
}

export const knownAction = (value: Json | undefined): Action | undefined =>
  actions.get(plain(value));

/** The links and images among what a tool lists as such: http and https only. */
export function linksOf(value: Json | undefined): readonly Link[] {
  const listed = Array.isArray(value) ? value : [value];
  return listed.slice(0, eventsLimits.links).flatMap((each) => {
    if (!isObject(each)) return linkOf(each, undefined);
    const links = linkNames.flatMap((name) => linkOf(each[name], textOfLink(each))).slice(0, 1);
    // An image may lead somewhere else by a click.
    const images = linkOf(each['src'] ?? each['image_url'], textOfLink(each) ?? 'Image');
    return linksOnce([...links, ...images]);
  });
}

const linkNames = ['href', 'url', 'link', 'uri'];
const textNames = ['text', 'title', 'label', 'name', 'alt', 'alt_text', 'type'];

const textOfLink = (each: JsonObject): Json | undefined =>
  textNames.map((name) => each[name]).find((text) => typeof text === 'string' && text !== '');

/** Each address once. */
export const linksOnce = (links: readonly Link[]): readonly Link[] =>
  [...new Map(links.toReversed().map((link) => [link.href, link])).values()]
    .toReversed()
    .slice(0, eventsLimits.links);

/** The link, unless it leads nowhere that a browser should go by a click. */
export function linkOf(href: Json | undefined, text: Json | undefined): readonly Link[] {
  if (typeof href !== 'string' || href.length > eventsLimits.linkLength) return [];
  const address = URL.parse(href.trim());
  if (address?.protocol !== 'http:' && address?.protocol !== 'https:') return [];
  const label = typeof text === 'string' ? titleOf(oneLine(text)) : '';
  return [{ href: href.trim(), ...(label !== '' && { text: label }) }];
}

/**
 * A word without case, accents, spaces, `_` and `-`, as words are compared, in whichever of their
 * forms its characters are written; blank for what is no word.
 */
export function plain(value: Json | undefined): string {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string' || value.length > 100) return '';
  const letters = ASCII.test(value) ? value : value.normalize('NFKD').replace(ACCENTS, '');
  return letters.toLowerCase().replace(/[\s_-]/g, '');
}

function termOf(words: string, between: string): string {
  return words.split(between).map(plain).join(' ');
}

function terms<Word extends string>(words: Record<Word, string>): [string, Word][] {
  // As below.
  return (Object.entries(words) as [Word, string][]).flatMap(([word, listed]) =>
    listed.split(/\s+/).map((each): [string, Word] => [termOf(each, '_'), word]),
  );
}

function table<Word extends string>(words: Record<Word, string>): ReadonlyMap<string, Word> {
  const entries = new Map<string, Word>();
  // Object.entries forgets that the keys are the words.
  for (const [word, listed] of Object.entries(words) as [Word, string][])
    for (const each of listed.split(/\s+/)) entries.set(plain(each), word);
  return entries;
}
