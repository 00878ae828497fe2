import type { Phrases } from './en.ts';

export const german: Phrases = {
  locale: 'de-DE',
  spoken: {
    greeting: (organization) => `Hier ist Pager, für ${organization}.`,
    service: (name) => `Service ${name}.`,
    priority: (name) => `Priorität ${name}.`,
    incident: (number) => `Vorfall Nummer ${number}.`,
    key: {
      acknowledge: 'Zum Bestätigen drücken Sie die 4.',
      resolve: 'Zum Lösen drücken Sie die 6.',
      escalate: 'Zum Eskalieren drücken Sie die 9.',
      repeat: 'Zum Wiederholen drücken Sie die Sterntaste.',
    },
    noKeys:
      'Tasten haben in diesem Anruf keine Wirkung. Öffnen Sie Pager, um den Vorfall zu bestätigen oder zu lösen.',
    readOnly: 'Sie können ihn nicht bestätigen oder lösen.',
    code: (digits) => `Ihr Code lautet: ${digits}.`,
    codeUnrequested:
      'Wenn Sie ihn nicht angefordert haben, legen Sie auf. Ohne den Code erhalten Sie hier keine Anrufe.',
    until: (time) => `Bis ${time}.`,
    next: 'Nächster Vorfall.',
    goodbye: 'Auf Wiederhören.',
    test: 'Dies ist ein Testanruf von Pager. So werden Ihnen Alarme vorgelesen.',
  },
  short: {
    verb: { acknowledge: 'bestätigen', resolve: 'lösen', escalate: 'eskalieren' },
    code: (code) => `${code} ist Ihr Code für Pager.`,
    codeUnrequested: 'Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese Nachricht.',
    until: (time) => `bis ${time}`,
    test: 'Dies ist eine Testnachricht von Pager. So kommen Alarme hier an.',
  },
  incident: {
    triggered: 'Vorfall ausgelöst',
    unanswered: (first, last) =>
      first === last
        ? `Niemand hat auf Stufe ${last} geantwortet`
        : `Niemand hat auf den Stufen ${first} bis ${last} geantwortet`,
    escalated: (step) => `Auf Stufe ${step} eskaliert`,
    nobodyPaged: 'Niemand konnte alarmiert werden',
    notAllPaged: 'Nicht alle konnten alarmiert werden',
    resolved: (by) => (by === '' ? 'Gelöst' : `Gelöst von ${by}`),
    assigned: (to) => `Zugewiesen an ${to || 'Sie'}`,
    responderAdded: (name) => `Zur Bearbeitung hinzugefügt: ${name || 'Sie'}`,
    storm: 'Alarmflut',
    untitled: 'Vorfall ohne Titel',
    andMore: (title, others) => `${title} und ${others} weitere`,
    also: (names, more) => (more > 0 ? `${names} und ${more} weitere` : names),
    readOnly: (role) => `${role}, ohne das Recht, Vorfälle zu bestätigen oder zu lösen`,
  },
  status: { triggered: 'ausgelöst', acknowledged: 'bestätigt', resolved: 'gelöst' },
  role: {
    viewer: 'Betrachter',
    responder: 'Bearbeiter',
    manager: 'Manager',
    admin: 'Administrator',
    owner: 'Inhaber',
  },
  fact: {
    also: 'Auch',
    service: 'Service',
    status: 'Status',
    priority: 'Priorität',
    severity: 'Schweregrad',
    opened: 'Eröffnet',
    next: 'Weiter',
    role: 'Ihre Rolle',
    code: 'Code',
    validUntil: 'Gültig bis',
    from: 'Von',
    until: 'Bis',
    takenOverFrom: 'Übernommen von',
    handedOverTo: 'Übergeben an',
    onCallNow: 'Jetzt in Bereitschaft',
    requestedBy: 'Angefragt von',
  },
  button: {
    acknowledge: 'Bestätigen',
    resolve: 'Lösen',
    escalate: 'Eskalieren',
    gotIt: 'Angekommen',
    openIncident: 'Vorfall öffnen',
    openIncidents: 'Offene Vorfälle',
    openSchedule: 'Plan öffnen',
    openRequest: 'Anfrage öffnen',
  },
  next: {
    acknowledged: 'Niemand sonst wird alarmiert.',
    nobody: 'Niemand sonst wird alarmiert, bis jemand reagiert.',
    step: (number, at) => `Stufe ${number} folgt um ${at}, falls niemand bestätigt.`,
    repeat: (at) => `Die Alarmierung beginnt um ${at} von vorn, falls niemand bestätigt.`,
    unacknowledge: (at) =>
      `Wird der Vorfall nicht bis ${at} gelöst, beginnt die Alarmierung wieder bei Stufe 1.`,
    unmute: (at) => `Der Vorfall ist bis ${at} stummgeschaltet.`,
    resolve: (at) => `Der Vorfall wird um ${at} automatisch gelöst.`,
    expire: (at) => `Der Vorfall wird um ${at} gelöst, falls die Quelle ihn nicht erneut meldet.`,
  },
  more: (count) => (count === 'many' ? 'und viele weitere' : `und ${count} weitere`),
  summary: {
    new: (count) => `${count} neue Vorfälle`,
    unanswered: (count) => `${count} unbeantwortete Vorfälle`,
  },
  shift: {
    started: 'Sie haben jetzt Bereitschaft',
    ended: 'Ihre Schicht ist beendet',
    takenOff: 'Sie haben keine Bereitschaft mehr',
    changed: 'Ihre Schichten haben sich geändert',
    untitled: 'Plan ohne Namen',
    added: (span) => `Hinzugefügt: ${span}`,
    removed: (span) => `Entfernt: ${span}`,
    starting: (time) => `ab ${time}`,
    span: (from, to) => `${from} bis ${to}`,
    coverWanted: (name) => `${name} sucht eine Vertretung`,
  },
  weekdays: ['Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa', 'So'],
  code: {
    lead: 'Bestätigen Sie, dass diese Adresse Ihnen gehört',
    details:
      'Geben Sie den Code dort ein, wo Sie ihn angefordert haben. ' +
      'Wenn Sie keinen angefordert haben, ignorieren Sie diese Nachricht. Ohne den Code wird nichts weiter hierher gesendet.',
    device: 'Benachrichtigungen kommen auf diesem Gerät an.',
    line: (code) => `Ihr Code: ${code}`,
  },
  test: {
    title: 'Testalarm: alles in Ordnung',
    details: 'Wenn Sie dies lesen, kommen Alarme hier an.',
  },
  taken: {
    Acknowledged: (by) => `Bestätigt von ${by}`,
    Unacknowledged: (by) => `Bestätigung aufgehoben von ${by}`,
    Resolved: (by) => `Gelöst von ${by}`,
    Escalated: (by) => `Eskaliert von ${by}`,
    Reopened: (by) => `Wieder geöffnet von ${by}`,
    Merged: (by) => `Zusammengeführt von ${by}`,
  },
  joined: {
    alerts: (names, alerts, more) => {
      const others = more > 0 ? ` und ${more} weitere` : '';
      return `${alerts === 1 ? 'Ein weiterer Alarm ist' : `${alerts} weitere Alarme sind`} hinzugekommen: ${names}${others}.`;
    },
    inAll: (alerts) => `Insgesamt ${alerts}.`,
  },
  automatic: () => 'Pager (automatisch)',
  byTelephone: 'Telefon',
  answer: {
    done: {
      acknowledge: (incident) => `Bestätigt: ${incident}.`,
      unacknowledge: (incident) => `Bestätigung aufgehoben: ${incident}.`,
      resolve: (incident) => `Gelöst: ${incident}.`,
      escalate: (incident) => `Eskaliert: ${incident}.`,
    },
    unchanged: {
      triggered: (incident) => `Es wurde nichts geändert: ${incident} ist nicht bestätigt.`,
      acknowledged: (incident) => `Es wurde nichts geändert: ${incident} ist bereits bestätigt.`,
      resolved: (incident) => `Es wurde nichts geändert: ${incident} ist bereits gelöst.`,
      escalated: (incident) => `Es wurde nichts geändert: ${incident} wurde inzwischen eskaliert.`,
    },
    notThere: 'Diesen Vorfall gibt es nicht mehr.',
    notReadable: 'Der Vorfall kann nicht gelesen werden. Öffnen Sie Pager, um den Grund zu sehen.',
    unknownNumber: (number) => `INC-${number} gibt es nicht.`,
    notPagedHere: (number) => `Zu INC-${number} wurde hierher kein Alarm gesendet.`,
    unlinkedChat:
      'Dieser Chat ist nicht verknüpft. Um hier alarmiert zu werden, öffnen Sie Pager, gehen Sie zu Me und verknüpfen Sie ihn.',
    unlinkedNumber:
      'Pager kennt diese Nummer nicht. Um hier alarmiert zu werden, melden Sie sich bei Pager an, öffnen Sie Me und fügen Sie sie hinzu.',
    shared: 'Mehrere Personen teilen sich diese Adresse. Handeln Sie stattdessen in Pager.',
    inactive: 'Ihr Konto in Pager ist nicht aktiv.',
    role: (role) => `Mit der Rolle ${role} können Sie Vorfälle nicht bearbeiten.`,
    smsAcknowledgesOnly: 'Per SMS können Sie nur bestätigen. Für alles andere öffnen Sie Pager.',
    smsHasNoEffect: 'Antworten per SMS haben keine Wirkung. Öffnen Sie Pager.',
    buttonIsOld: 'Diese Schaltfläche gilt nicht mehr. Öffnen Sie den Vorfall in Pager.',
    gotIt: 'Danke: Alarme erreichen Sie hier.',
    gotItTooLate: 'Dieser Kontakt wird nicht mehr verwendet.',
    numberCannotBeLinked: () =>
      'Diese Nummer kann nicht verknüpft werden. Wenden Sie sich an einen Administrator.',
    linked: (person, organization) =>
      `Alarme für ${person} (${organization}) kommen ab jetzt hier an.`,
    codeIsInvalid:
      'Dieser Code ist ungültig oder abgelaufen. Erstellen Sie in Pager unter Me einen neuen.',
    contactsAreFull: (max) =>
      `Sie haben bereits ${max} Kontakte, mehr sind nicht möglich. Entfernen Sie zuerst einen.`,
    optedOut: 'Sie erhalten hier keine Alarme mehr. Um sie wieder zu erhalten, senden Sie START.',
    optedIn: 'Sie erhalten hier wieder Alarme.',
    callIsUnknown: 'Dieser Anruf ist unbekannt.',
    pageIsGone: 'Diesen Alarm gibt es nicht mehr.',
    keyHasNoEffect: 'Diese Taste hat keine Wirkung.',
  },
  proposal: {
    nothing: 'Es wurde nichts geändert.',
    nothingOpen: 'Es wurde nichts geändert: Hierher wurde kein offener Vorfall gemeldet.',
    oneThing: 'Es wurde nichts geändert: Bitte nur eine Sache auf einmal.',
    to: {
      acknowledge: (incident, send) => `Um ${incident} zu bestätigen, senden Sie: ${send}`,
      resolve: (incident, send) => `Um ${incident} zu lösen, senden Sie: ${send}`,
      escalate: (incident, send) => `Um ${incident} zu eskalieren, senden Sie: ${send}`,
    },
    choices: (incident, choices) => `Für ${incident} senden Sie: ${choices}`,
    choice: {
      acknowledge: (send) => `${send} zum Bestätigen`,
      resolve: (send) => `${send} zum Lösen`,
      escalate: (send) => `${send} zum Eskalieren`,
    },
    list: (incidents, send) => `Offen: ${incidents}. Senden Sie zum Beispiel: ${send}`,
    more: (count) => `${count} weitere`,
  },
};
