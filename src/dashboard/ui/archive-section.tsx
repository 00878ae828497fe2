import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Write } from '../api/open-writes.ts';
import { useWrite } from '../api/use-write.ts';
import { Button } from './button.tsx';
import { Confirm } from './confirm.tsx';
import { Section } from './section.tsx';

type ArchiveSectionProps = {
  /** Of what is archived. */
  name: string;
  write: Omit<Write, 'method'>;
  /** What is read anew after it. */
  stale: readonly (readonly unknown[])[];
  /** The list that the page is of. */
  list: '/teams' | '/settings/channels';
  words: {
    readonly archive: string;
    readonly archiveText: string;
    readonly archiveTitle: (name: string) => string;
  };
};

export function ArchiveSection({ name, write, stale, list, words }: ArchiveSectionProps) {
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const archiving = useWrite(...stale);
  async function archive() {
    // What is typed into the forms of the page goes with what they are of.
    if ((await archiving.send({ method: 'DELETE', ...write })) !== null)
      void navigate({ to: list, ignoreBlocker: true });
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
        />
      )}
    </Section>
  );
}
