import type { Role } from '../../resources/roles.ts';
import { words as peopleWords } from '../people/words.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { Empty } from './panel.tsx';
import { words } from './words.ts';

/** Nothing leads here but an address that somebody typed or was given. */
export const NotAllowed = ({ title, least }: { title: string; least: Role }) => (
  <>
    <PageHeader title={title} />
    <Empty title={words.notAllowed} text={words.needsRole(peopleWords.roles[least])} />
  </>
);
