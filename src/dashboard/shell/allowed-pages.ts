// Which of the pages somebody may open. Apart from them: the menu, in the entry, needs less.
import { incidentRole, mayAct, type Role } from '../../resources/roles.ts';
import { type MenuPage, pages } from './pages.ts';
import { words } from './words.ts';

/** In the order of their tabs. */
const settingsPages: readonly MenuPage[] = [
  pages.organization,
  pages.channels,
  pages.apiKeys,
  pages.auditLog,
  pages.quota,
  pages.archive,
];

/** Those that somebody may open; undefined: it is not known yet who that is. */
export const pagesFor = (person: { readonly role: Role } | undefined): readonly MenuPage[] =>
  Object.values(pages).filter(
    (page) => !('least' in page) || (person !== undefined && mayAct(person, page.least)),
  );

export const settingsFor = (person: { readonly role: Role } | undefined): readonly MenuPage[] =>
  pagesFor(person).filter((page) => settingsPages.includes(page));

/** What the palette offers to do: each begins on a page of its own. */
const actions = [
  { path: '/incidents/new', icon: 'plus', text: words.openIncident, least: incidentRole },
  { path: '/on-calls/new', icon: 'plus', text: words.newSchedule, least: 'manager' },
] as const;

export const actionsFor = (person: { readonly role: Role } | undefined) =>
  actions.filter(({ least }) => person !== undefined && mayAct(person, least));
