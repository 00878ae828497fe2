import { manifestOf, vendorNamed } from '../../resources/connections/vendors.ts';
import { CopyField } from '../ui/copy-field.tsx';
import { Section } from '../ui/section.tsx';
import type { Connection } from './connection.ts';
import { inviteWords, manifestWords } from './words.ts';

/** What the vendor makes the app of, to be pasted there. */
export const ManifestField = ({ manifest }: { manifest: object }) => (
  <CopyField label={manifestWords.label} text={JSON.stringify(manifest)} />
);

export function ManifestSection({ connection }: { connection: Connection }) {
  const { inviteUrl } = vendorNamed(connection.vendor) ?? {};
  if (inviteUrl !== undefined)
    return (
      <Section title={inviteWords.title} text={inviteWords.text}>
        <CopyField label={inviteWords.label} text={inviteUrl(connection.settings)} />
      </Section>
    );
  const manifest = manifestOf(connection, window.location.origin);
  if (manifest === undefined) return null;
  return (
    <Section title={manifestWords.title} text={manifestWords.text}>
      <ManifestField manifest={manifest} />
    </Section>
  );
}
