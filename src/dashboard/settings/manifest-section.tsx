import { slackManifest } from '../../resources/connections/slack-manifest.ts';
import { CopyField } from '../ui/copy-field.tsx';
import { Section } from '../ui/section.tsx';
import { slackWords } from './words.ts';

/** What Slack makes the app of, to be pasted there. */
export const ManifestField = () => (
  <CopyField label={slackWords.manifestLabel} text={JSON.stringify(slackManifest)} />
);

export const ManifestSection = () => (
  <Section title={slackWords.manifest} text={slackWords.manifestText}>
    <ManifestField />
  </Section>
);
