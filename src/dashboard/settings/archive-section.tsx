import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWrite } from '../api/use-write.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Section } from '../ui/section.tsx';
import type { Connection } from './connection.ts';
import { connectionsPath, staleConnections } from './queries.ts';
import { words } from './words.ts';

export function ArchiveSection({ connection }: { connection: Connection }) {
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const archiving = useWrite(...staleConnections);
  async function archive() {
    const { id, version } = connection;
    const path = `${connectionsPath}/${id}`;
    const done = await archiving.send({ method: 'DELETE', path, version, name: words.archive });
    if (done !== null) void navigate({ to: '/settings/channels' });
  }
  return (
    <Section title={words.archive} text={words.archiveText}>
      <Button kind="danger" onClick={() => setOpen(true)}>
        {words.archive}
      </Button>
      {isOpen && (
        <Confirm
          title={words.archiveTitle(connection.name)}
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
