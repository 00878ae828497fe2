import type { Phrases } from './en.ts';

export const french: Phrases = {
  locale: 'fr-FR',
  spoken: {
    greeting: (organization) => `Ici Pager, pour ${organization}.`,
    service: (name) => `Service ${name}.`,
    priority: (name) => `Priorité ${name}.`,
    incident: (number) => `Incident numéro ${number}.`,
    key: {
      acknowledge: 'Pour acquitter, appuyez sur 4.',
      resolve: 'Pour résoudre, appuyez sur 6.',
      escalate: 'Pour escalader, appuyez sur 9.',
      repeat: 'Pour réécouter, appuyez sur étoile.',
    },
    noKeys:
      'Les touches sont sans effet pendant cet appel. Ouvrez Pager pour acquitter ou résoudre l’incident.',
    readOnly: 'Vous ne pouvez ni l’acquitter ni le résoudre.',
    code: (digits) => `Votre code est : ${digits}.`,
    codeUnrequested:
      'Si vous ne l’avez pas demandé, raccrochez. Sans ce code, vous ne recevrez aucun appel ici.',
    until: (time) => `Jusqu’à : ${time}.`,
    next: 'Incident suivant.',
    goodbye: 'Au revoir.',
    test: 'Ceci est un appel de test de Pager. Vos alertes vous seront lues ainsi.',
  },
  short: {
    verb: { acknowledge: 'acquitter', resolve: 'résoudre', escalate: 'escalader' },
    code: (code) => `${code} est votre code Pager.`,
    codeUnrequested: "Si vous ne l'avez pas demandé, ignorez ce message.",
    until: (time) => `fin : ${time}`,
    test: 'Ceci est un message de test de Pager. Vos alertes arrivent ici comme ceci.',
  },
  incident: {
    triggered: 'Incident déclenché',
    unanswered: (first, last) =>
      first === last
        ? `Personne n'a répondu à l'étape ${last}`
        : `Personne n'a répondu aux étapes ${first} à ${last}`,
    escalated: (step) => `Escaladé à l'étape ${step}`,
    nobodyPaged: "L'alerte n'a pu joindre personne",
    notAllPaged: "L'alerte n'a pas pu joindre tout le monde",
    resolved: (by) => (by === '' ? 'Résolu' : `Résolu par ${by}`),
    assigned: (to) => (to === '' ? 'Incident attribué à vous' : `Attribué à ${to}`),
    responderAdded: (name) => `Intervenant ajouté : ${name || 'vous'}`,
    storm: "Avalanche d'alertes",
    untitled: 'Incident sans titre',
    andMore: (title, others) =>
      others === 1 ? `${title} et une autre alerte` : `${title} et ${others} autres alertes`,
    also: (names, more) => (more > 0 ? `${names} et ${more} de plus` : names),
    readOnly: (role) => `${role}, sans le droit d’acquitter ou de résoudre des incidents`,
  },
  status: { triggered: 'déclenché', acknowledged: 'acquitté', resolved: 'résolu' },
  role: {
    viewer: 'lecteur',
    responder: 'intervenant',
    manager: 'gestionnaire',
    admin: 'administrateur',
    owner: 'propriétaire',
  },
  fact: {
    also: 'Aussi',
    service: 'Service',
    status: 'État',
    priority: 'Priorité',
    severity: 'Gravité',
    opened: 'Ouvert',
    next: 'Suite',
    role: 'Votre rôle',
    code: 'Code',
    validUntil: 'Valable jusqu’à',
    from: 'Début',
    until: 'Fin',
    takenOverFrom: 'Relais pris de',
    handedOverTo: 'Relais passé à',
    onCallNow: 'Maintenant d’astreinte',
    requestedBy: 'Demandé par',
  },
  button: {
    acknowledge: 'Acquitter',
    resolve: 'Résoudre',
    escalate: 'Escalader',
    gotIt: 'Bien reçu',
    openIncident: 'Ouvrir l’incident',
    openIncidents: 'Incidents ouverts',
    openSchedule: 'Ouvrir le planning',
    openRequest: 'Ouvrir la demande',
  },
  next: {
    acknowledged: 'Personne d’autre n’est alerté.',
    nobody: 'Personne d’autre n’est alerté avant que quelqu’un n’intervienne.',
    step: (number, at) => `L’étape ${number} commence à ${at}, sauf acquittement.`,
    repeat: (at) => `Les alertes reprennent depuis le début à ${at}, sauf acquittement.`,
    unacknowledge: (at) =>
      `Si l’incident n’est pas résolu avant ${at}, les alertes reprennent à l’étape 1.`,
    unmute: (at) => `L’incident est en sourdine jusqu’à ${at}.`,
    resolve: (at) => `L’incident sera résolu automatiquement à ${at}.`,
    expire: (at) => `L’incident sera résolu à ${at}, sauf si sa source le signale de nouveau.`,
  },
  more: (count) => (count === 'many' ? 'et beaucoup d’autres' : `et ${count} de plus`),
  summary: {
    new: (count) => `${count} nouveaux incidents`,
    unanswered: (count) => `${count} incidents sans réponse`,
  },
  shift: {
    started: 'Votre astreinte commence',
    ended: 'Votre astreinte est terminée',
    takenOff: "Vous n'assurez plus l'astreinte",
    changed: 'Vos astreintes ont changé',
    untitled: 'Planning sans nom',
    added: (span) => `Ajouté : ${span}`,
    removed: (span) => `Retiré : ${span}`,
    starting: (time) => `à partir de : ${time}`,
    span: (from, to) => `${from} à ${to}`,
    coverWanted: (name) => `${name} cherche un remplacement`,
  },
  weekdays: ['lun.', 'mar.', 'mer.', 'jeu.', 'ven.', 'sam.', 'dim.'],
  code: {
    lead: 'Confirmez que cette adresse est la vôtre',
    details:
      'Saisissez le code là où vous l’avez demandé. ' +
      'Si vous n’en avez pas demandé, ignorez ce message. Sans ce code, rien d’autre ne sera envoyé ici.',
    device: 'Les notifications arrivent sur cet appareil.',
    line: (code) => `Votre code : ${code}`,
  },
  test: {
    title: 'Alerte de test : tout va bien',
    details: 'Si vous lisez ceci, les alertes arrivent ici.',
  },
  taken: {
    Acknowledged: (by) => `Acquitté par ${by}`,
    Unacknowledged: (by) => `Acquittement annulé par ${by}`,
    Resolved: (by) => `Résolu par ${by}`,
    Escalated: (by) => `Escaladé par ${by}`,
    Reopened: (by) => `Rouvert par ${by}`,
    Merged: (by) => `Fusionné par ${by}`,
  },
  joined: {
    alerts: (names, alerts, more) => {
      const others = more > 0 ? ` et ${more} de plus` : '';
      return `${alerts === 1 ? 'Une autre alerte s’est ajoutée' : `${alerts} autres alertes se sont ajoutées`} : ${names}${others}.`;
    },
    inAll: (alerts) => `${alerts} au total.`,
  },
  automatic: () => 'Pager (automatiquement)',
  byTelephone: 'téléphone',
  answer: {
    done: {
      acknowledge: (incident) => `Acquitté : ${incident}.`,
      unacknowledge: (incident) => `Acquittement annulé : ${incident}.`,
      resolve: (incident) => `Résolu : ${incident}.`,
      escalate: (incident) => `Escaladé : ${incident}.`,
    },
    unchanged: {
      triggered: (incident) => `Rien n'a changé : ${incident} n'est pas acquitté.`,
      acknowledged: (incident) => `Rien n'a changé : ${incident} est déjà acquitté.`,
      resolved: (incident) => `Rien n'a changé : ${incident} est déjà résolu.`,
      escalated: (incident) => `Rien n'a changé : ${incident} a été escaladé entre-temps.`,
    },
    notThere: "Cet incident n'existe plus.",
    notReadable: "Cet incident n'est pas lisible. Ouvrez Pager pour en voir la raison.",
    unknownNumber: (number) => `INC-${number} n'existe pas.`,
    notPagedHere: (number) => `Aucune alerte pour INC-${number} n'a été envoyée ici.`,
    unlinkedChat:
      "Cette conversation n'est pas associée à Pager. Pour recevoir des alertes ici, ouvrez Pager, allez sur Me et associez-la.",
    unlinkedNumber:
      'Pager ne connaît pas ce numéro. Pour recevoir des alertes ici, connectez-vous à Pager, ouvrez Me et ajoutez-le.',
    shared: 'Plusieurs personnes partagent cette adresse. Agissez plutôt dans Pager.',
    inactive: "Votre compte Pager n'est pas actif.",
    role: (role) => `Avec le rôle ${role}, vous ne pouvez pas agir sur les incidents.`,
    smsAcknowledgesOnly:
      'Par SMS, vous pouvez seulement acquitter. Pour tout le reste, ouvrez Pager.',
    smsHasNoEffect: 'Les réponses par SMS sont sans effet. Ouvrez Pager.',
    buttonIsOld: "Ce bouton n'est plus valable. Ouvrez l'incident dans Pager.",
    gotIt: 'Merci : les alertes vous parviennent ici.',
    gotItTooLate: "Ce contact n'est plus utilisé.",
    numberCannotBeLinked: () =>
      'Ce numéro ne peut pas être associé. Adressez-vous à un administrateur.',
    linked: (person, organization) =>
      `Les alertes pour ${person} (${organization}) arrivent désormais ici.`,
    codeIsInvalid: 'Ce code est incorrect ou a expiré. Créez-en un autre dans Pager, sous Me.',
    contactsAreFull: (max) =>
      `Vous avez déjà ${max} contacts, le nombre maximal. Supprimez-en un d'abord.`,
    optedOut: 'Vous ne recevez plus d’alertes ici. Pour en recevoir de nouveau, envoyez START.',
    optedIn: 'Vous recevez de nouveau des alertes ici.',
    callIsUnknown: 'Cet appel est inconnu.',
    pageIsGone: "Cette alerte n'existe plus.",
    keyHasNoEffect: 'Cette touche est sans effet.',
  },
  proposal: {
    nothing: "Rien n'a changé.",
    nothingOpen: "Rien n'a changé : aucun incident ouvert n'a été signalé ici.",
    oneThing: "Rien n'a changé : une seule demande à la fois.",
    to: {
      acknowledge: (incident, send) => `Pour acquitter ${incident}, envoyez : ${send}`,
      resolve: (incident, send) => `Pour résoudre ${incident}, envoyez : ${send}`,
      escalate: (incident, send) => `Pour escalader ${incident}, envoyez : ${send}`,
    },
    choices: (incident, choices) => `Pour ${incident}, envoyez : ${choices}`,
    choice: {
      acknowledge: (send) => `${send} pour acquitter`,
      resolve: (send) => `${send} pour résoudre`,
      escalate: (send) => `${send} pour escalader`,
    },
    list: (incidents, send) => `Ouverts : ${incidents}. Envoyez, par exemple : ${send}`,
    more: (count) => `${count} de plus`,
  },
};
