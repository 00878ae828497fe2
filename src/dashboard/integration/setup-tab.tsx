import { useMay } from '../api/use-may.ts';
import { FirstEvent } from './first-event.tsx';
import { GuideSection } from './guide-section.tsx';
import type { Integration, IntegrationType } from './integration.ts';

type SetupTabProps = { integration: Integration; type: IntegrationType | undefined };

export function SetupTab({ integration, type }: SetupTabProps) {
  const mayManage = useMay('manager') === true;
  const { id, archived_at } = integration;
  return (
    <>
      {type && <GuideSection integration={integration} type={type} mayManage={mayManage} />}
      <FirstEvent id={id} maySend={mayManage && archived_at === undefined} />
    </>
  );
}
