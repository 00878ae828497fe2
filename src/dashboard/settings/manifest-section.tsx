import { useQuery } from '@tanstack/react-query';
import { CopyField } from '../ui/copy-field.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Section } from '../ui/section.tsx';
import type { Connection } from './connection.ts';
import { manifestQuery } from './queries.ts';
import { words } from './words.ts';

/** What the vendor makes the app of, to be pasted there. */
export function ManifestSection({ connection }: { connection: Connection }) {
  const manifest = useQuery(manifestQuery(connection.id));
  return (
    <Section title={words.manifest} text={words.manifestText}>
      <Loaded query={manifest}>
        {(shown) => <CopyField label={words.manifestLabel} text={JSON.stringify(shown)} />}
      </Loaded>
    </Section>
  );
}
