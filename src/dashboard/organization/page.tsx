// The settings that there are once: everybody reads them, admins change them.
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useMay } from '../api/use-may.ts';
import { fieldsOf } from '../form/form.ts';
import { ReadList } from '../records/read-fields.tsx';
import { SettingsTabs } from '../settings/tabs.tsx';
import { lazyPart } from '../shell/lazy-part.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { pages } from '../shell/pages.ts';
import { useTitle } from '../shell/use-title.ts';
import { Loaded, Reading } from '../ui/loaded.tsx';
import { Section } from '../ui/section.tsx';
import { settings } from './organization.ts';
import { organizationQuery } from './queries.ts';
import { words } from './words.ts';

const EditOrganization = lazyPart(() => import('./edit.tsx'), 'EditOrganization');

export function OrganizationPage() {
  const query = useQuery(organizationQuery);
  const mayEdit = useMay('admin');
  useTitle(words.title);
  return (
    <>
      <PageHeader title={words.title} />
      <SettingsTabs current={pages.organization} />
      <Loaded query={query}>
        {(organization) => {
          if (mayEdit === undefined) return <Reading />;
          if (!mayEdit)
            return (
              <Section title={words.title} text={words.viewerNote}>
                <ReadList fields={fieldsOf(settings)} record={organization} />
              </Section>
            );
          return (
            <Suspense fallback={<Reading />}>
              <EditOrganization organization={organization} />
            </Suspense>
          );
        }}
      </Loaded>
    </>
  );
}
