// Admins change the settings: what a save changes is listed before it, and of two who save, the
// second sees both.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { patchOf } from '../../client/patch.ts';
import { useWrite } from '../api/use-write.ts';
import { bodyOf, type Draft, withValue } from '../form/draft.ts';
import { fieldsOf } from '../form/form.ts';
import { useNames } from '../form/picks.ts';
import { RecordForm } from '../form/record-form.tsx';
import { textOf } from '../form/text.ts';
import { Button } from '../ui/button.tsx';
import { Conflict, type Part } from '../ui/conflict.tsx';
import { Saved } from '../ui/saved.tsx';
import { useEdit } from '../ui/use-edit.ts';
import { Warnings, warningsIn } from '../ui/warnings.tsx';
import { ownZone } from '../ui/zones.ts';
import { Changes } from './changes.tsx';
import { organizationWidgets } from './fields.tsx';
import { changesOf, type Organization, readDraft, settings, zoneToOffer } from './organization.ts';
import { organizationQuery, staleSettings } from './queries.ts';
import { words } from './words.ts';

export function EditOrganization({ organization }: { organization: Organization }) {
  const fields = fieldsOf(settings);
  const queries = useQueryClient();
  const writing = useWrite(...staleSettings);
  const [draftOf] = useState(() => readDraft(fields));
  const edit = useEdit<Organization, Draft>({ record: organization, draftOf, writing });
  const { draft, setDraft, base, version, isTouched } = edit;
  const [warnings, setWarnings] = useState<readonly string[] | null>(null);
  const nameOf = useNames(fields);
  const parts = fields.map(
    ({ name, label, widget }): Part<Draft> => ({
      name,
      label,
      text: (side) => textOf(widget, side[name], nameOf),
    }),
  );
  const before = draftOf(base);
  const offered = zoneToOffer(draft['timezone'], ownZone());
  const isZoneFilledIn =
    zoneToOffer(before['timezone'], ownZone()) !== undefined && draft['timezone'] === ownZone();
  const save = async () => {
    setWarnings(null);
    const body = patchOf(bodyOf(fields, before), bodyOf(fields, draft));
    const saved = await writing.send({ method: 'PATCH', path: '/organization', body, version });
    if (saved === null) return;
    // What this version of the API answers, as docs/openapi.json has it.
    queries.setQueryData(organizationQuery.queryKey, saved as unknown as Organization);
    edit.saved(saved);
    setWarnings(warningsIn(saved));
  };
  return (
    <div className="px-4 py-4 md:px-5">
      <RecordForm
        resource={settings}
        draft={draft}
        onChange={setDraft}
        teamId={undefined}
        own={organizationWidgets}
        isTouched={isTouched}
        isPending={writing.isPending}
        failure={writing.failure}
        onSave={() => void save()}
        above={
          <>
            <Conflict edit={edit} parts={parts} />
            {isZoneFilledIn && (
              <p role="status" className="rounded-md bg-sunken px-3 py-2 text-sm text-pretty">
                {words.zoneFilledIn(ownZone())}
              </p>
            )}
            {offered !== undefined && (
              <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-line bg-sunken px-3 py-2">
                <p className="min-w-0 flex-1 basis-52 text-sm text-pretty">
                  {words.zoneOffer(offered, String(draft['timezone']))}
                </p>
                <Button onClick={() => setDraft(withValue(fields, draft, ['timezone', offered]))}>
                  {words.useZone(offered)}
                </Button>
              </div>
            )}
          </>
        }
        below={
          <>
            <Changes changes={changesOf(fields, { before, after: draft }, nameOf)} />
            <Saved isSaved={warnings !== null && !isTouched} />
            <Warnings warnings={warnings ?? []} />
          </>
        }
      />
    </div>
  );
}
