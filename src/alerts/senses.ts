// What words mean in a text for people, where the state of a problem has no field of its own. Each
// word stands in one list: a test forbids a second one, which would win in silence.
import { plain } from './plain.ts';

/**
 * What each sense does is said by one table, in marks/meaning.ts. Words of several parts are written
 * with `_` between them here; words of other languages are those that tools show in them.
 */
export const words = {
  /** The problem is over. */
  end: `resolve resolved ok okay recovery recovered recover clear cleared closed up all_clear all_ok
    success succeeded successful solved restored deactivated back_to_normal back_online
    returned_to_normal
    behoben gelöst entstört wiederhergestellt entwarnung erfolg erfolgreich wieder_erreichbar wieder_online
    wieder_verfügbar
    résolu résolue rétabli rétablie rétablissement réussi succès
    resuelto resuelta recuperado recuperada restablecido solucionado éxito exitoso
    resolvido resolvida normalizado restaurado restabelecido sucesso
    risolto risolta ripristinato ripristinata successo chiuso clos
    opgelost hersteld geslaagd åtgärdat återställd løst gjenopprettet genoprettet
    verholpen ratkaistu palautunut korjattu
    rozwiązany rozwiązano przywrócono naprawiono vyřešeno vyřešen obnoveno vyriešené obnovené megoldva
    megoldódott helyreállt rezolvat remediat restabilit
    решено решена решён восстановлено восстановлен восстановлена устранено устранён устранена вирішено відновлено възстановен çözüldü düzeldi giderildi επιλύθηκε αποκαταστάθηκε
    復旧 解決 解消 回復 正常 恢复 恢復 已解决 已解決 已恢复 已恢復 해결 해결됨 복구 복구됨 해제 정상`,
  /** In front it may be the name of a shop, a rank or an order; only behind is it an end. */
  maybe: `online fixed close pass passing passed healthy normal operational green erreichbar`,
  /** An end in a sentence only: *is running*, and *[running]* is none. */
  well: `back_up responding reachable available accessible connected reconnected running alive fine good
    stable läuft_wieder verfügbar en_ligne no_ar raggiungibile bereikbaar доступен доступна`,
  /** Ends what the noun beside it begins: *Outage ended*. By itself it says nothing: *Job ended*. */
  over: `ended over finished done reset beendet aufgehoben gegangen gehend vorbei terminé terminée
    terminado terminada fermé fermée cerrado cerrada geschlossen gesloten återställt
    восстановление selesai pulih закрыт закрыта finalizado finalizada encerrado encerrada terminato terminata finito concluso
    beëindigd afgesloten`,
  /** The same, if the noun beside it is the alert; else something stands still: *Backup stopped*. */
  stop: 'stopped gone cancelled canceled aborted 停止',
  trouble: `triggered firing fired alerting down offline failed fail failing breached unhealthy degraded
    unreachable unavailable inaccessible flapping not_responding not_running not_ok no_data
    insufficient_data retriggered reopened activated unresponsive
    ausgefallen fehlgeschlagen nicht_erreichbar échoué hors_ligne en_panne hors_service injoignable caída caído caduto
    fora_do_ar onbereikbaar nere nede výpadek недоступен недоступна ダウン 宕机 触发`,
  /** In brackets alone it begins a problem: *Redis: timeout* and *Redis: lost* are two. */
  bad: 'missing timeout timed_out expired stale dead lost overdue crashed',
  /** A problem begins, if it stands in front. */
  opening: `open opened new started created raised begun trigger begonnen kommend ouvert abierto abierta aperto`,
  /** What begins, unless an end stands beside it: *Alert resolved*. */
  noun: `alert alerts alarm alarms problem problems incident incidents issue issues event events error errors
    failure failures outage outages downtime fault faults notification reminder
    störung alarmierung ausfall fehler alerte alarme erreur panne échec incidente alerta alarma avería
    fallo falha errore allarme guasto avviso problème problema probleem storing melding hälytys
    ongelma vika larm fel fejl feil awaria błąd chyba porucha hiba riasztás eroare
    проблема авария тревога сбой ошибка уведомление sorun uyarı hata arıza πρόβλημα συναγερμός
    sự_cố cảnh_báo masalah gangguan peringatan
    障害 アラート 警報 告警 报警 警报 故障 問題 问题 異常 异常 通知 検知 発生 发生 발생 장애 알람 알림 문제 경고`,
  /** How bad it is: *CRITICAL* begins a problem, and beside an end it is the severity of what ended. */
  grade: `critical crit warning warn unknown unkn red yellow kritisch warnung critique avertissement crítico
    crítica aviso advertencia waarschuwing kritiek varning kritisk advarsel varoitus
    kriittinen ostrzeżenie krytyczny varování kritický figyelmeztetés avertisment critic предупреждение
    критический kritik 警告 重大 紧急 緊急 严重 嚴重`,
  rank: `priority severity level info information informational notice disaster major minor high average low severe fatal emergency
    urgent sev0 sev1 sev2 sev3 sev4 sev5 p0 p1 p2 p3 p4 p5 s1 s2 s3 s4
    active investigating identified monitoring`,
  acknowledge: `acknowledge acknowledged ack acknowledgement bestätigt quittiert acquitté`,
  /** Takes back what stands beside it. */
  denial: `not never no non isn't wasn't hasn't haven't can't cannot couldn't unable partially partial
    incomplete pending still nicht nie kein keine pas jamais nunca não niet geen inte ikke ei ne nem
    nu не değil δεν`,
  /** Tells one problem from another, and stays in the key. */
  kind: `host service services server site website monitor uptime check device node sensor job task backup
    port interface disk cpu memory transaction certificate ssl domain endpoint url cluster pod instance
    database queue hostname servidor serveur dienst servicio serviço servizio serwer хост сервис sunucu
    ホスト サービス 主机 服务 disaster_recovery`,
  filler: `now back again currently fully the your a an and state status update updated message
    no_severity no_priority auto automatically manually automatisch
    wieder jetzt de_nouveau à_nouveau encore otra_vez de_nuevo novamente nuovamente di_nuovo weer opnieuw
    igen på_nytt ponownie znowu opět znovu tekrar снова しました です`,
  verb: `is are has have be been went came come goes comes became got turned ist sind wurde wurden hat est
    sont été a_été está es ha sido fue foi é sono stato stata werd zijn är har blev er blitt on_nyt
    jest został została je byl byla oldu が は 已`,
  /** Of what is no more so: *web was OK*. */
  past: 'was were had war waren était',
  span: 'in after within for since nach seit après depuis dopo da tras desde após na efter по после',
} as const;

export type Sense = keyof typeof words;

// Object.entries forgets that the keys are the senses.
const terms = (Object.entries(words) as [Sense, string][]).flatMap(([sense, listed]) =>
  listed.split(/\s+/).map((word): [string, Sense] => [termOf(word, '_'), sense]),
);
const senses: ReadonlyMap<string, Sense> = new Map([
  // NoData, INSUFFICIENT_DATA; a word that is written so by itself wins: backup.
  ...terms.map(([term, sense]): [string, Sense] => [term.replaceAll(' ', ''), sense]),
  ...terms,
]);

const LONGEST = Math.max(...senses.keys().map((term) => term.length)) * 2;

/** What one word, or several that belong together, mean in a text. */
export function senseOf(word: string): Sense | undefined {
  if (word.length > LONGEST) return undefined;
  const own = senses.get(termOf(word, ' '));
  if (own !== undefined || !/^re-/i.test(word)) return own;
  // Re-Triggered, Re-No Data: a reminder of what it is put before.
  const again = senses.get(termOf(word.slice(3), ' '));
  return again === 'grade' || again === 'opening' ? 'trouble' : again;
}

export function termOf(word: string, between: string): string {
  return word.split(between).map(plain).join(' ');
}

/**
 * Words that tell of trouble in a sentence without being a state: beside a weaker sign of an end
 * they deny it. *The fan is OK, battery low.*
 */
const troubles: ReadonlySet<string> = new Set(
  `critical crit warning warn error errors failure failures outage outages fault faults fehler
    ausfall störung kritisch erreur panne fallo avería errore guasto fout fel fejl feil 障害 故障
    stopped gone cancelled canceled aborted dead lost disconnected timeout timed breach exceeded overloaded
    unstable but still however except although despite battery degrading broken full overheating stuck
    overdue missing corrupt corrupted refused denied rejected exhausted leaking slow delayed late
    expired expiring crash crashed panic killed hung unresponsive loss drop dropped failover rebooting
    returned recurred
    aber jedoch trotz mais pero aunque ma però maar men ale но ama embargo`
    .split(/\s+/)
    .map(plain),
);

/** Whether a word of a sentence tells of trouble, or denies what stands beside it. */
export function isTrouble(word: string): boolean {
  const sense = senseOf(word);
  return sense === 'trouble' || sense === 'denial' || troubles.has(plain(word));
}
