import { vendorNamed } from '../../resources/connections/vendors.ts';
import { CopyField } from '../ui/copy-field.tsx';
import { Section } from '../ui/section.tsx';
import { slackWords } from './words.ts';

/** What the vendor makes the app of, to be pasted there. */
export const ManifestField = ({ manifest }: { manifest: object }) => (
  <CopyField label={slackWords.manifestLabel} text={JSON.stringify(manifest)} />
);

export function ManifestSection({ vendor }: { vendor: string }) {
  const manifest = vendorNamed(vendor)?.manifest;
  if (manifest === undefined) return null;
  return (
    <Section title={slackWords.manifest} text={slackWords.manifestText}>
      <ManifestField manifest={manifest} />
    </Section>
  );
}
