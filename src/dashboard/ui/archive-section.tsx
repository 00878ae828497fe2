import { type ReactNode, useState } from 'react';
import type { Fields } from '../../client/answer.ts';
import type { Write } from '../api/open-writes.ts';
import type { Writing } from '../api/use-write.ts';
import { Button } from './button.tsx';
import { Confirm } from './confirm.tsx';
import { Section } from './section.tsx';

type ArchiveSectionProps = {
  /** Of what is archived. */
  name: string;
  write: Omit<Write, 'method'>;
  /** Of the page, which stays when what is archived is gone from it before there is an answer. */
  archiving: Writing;
  onArchived: (answer: Fields) => void;
  /** In the dialog: what it does. */
  children?: ReactNode;
  words: {
    readonly archive: string;
    readonly archiveText: string;
    readonly archiveTitle: (name: string) => string;
  };
};

export function ArchiveSection(props: ArchiveSectionProps) {
  const { name, write, archiving, onArchived, words, children } = props;
  const [isOpen, setOpen] = useState(false);
  async function archive() {
    const answer = await archiving.send({ method: 'DELETE', ...write });
    if (answer !== null) onArchived(answer);
  }
  return (
    <Section title={words.archive} text={words.archiveText}>
      <Button kind="danger" onClick={() => setOpen(true)}>
        {words.archive}
      </Button>
      {isOpen && (
        <Confirm
          title={words.archiveTitle(name)}
          text={words.archiveText}
          action={words.archive}
          writing={archiving}
          onConfirm={() => void archive()}
          onClose={() => setOpen(false)}
        >
          {children}
        </Confirm>
      )}
    </Section>
  );
}
