// A record as Terraform, equal to what the export writes: its names depend on those of all others.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import { type OtherResource, recordConfiguration } from '../../terraform/export/configuration.ts';
import { readOrganization } from '../../terraform/export/organization.ts';
import { PagerError, pager } from '../api/pager.ts';
import { ofItsOwn } from '../api/queries.ts';
import { recordPages, sameTeam } from '../shell/pages.ts';
import { Button } from '../ui/button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Section } from '../ui/section.tsx';
import { useCopy } from '../ui/use-copy.ts';
import { words as uiWords } from '../ui/words.ts';
import { keyOf, pathOf, type RecordKind } from './record.ts';
import { words } from './words.ts';

export function TerraformTab({ kind, id }: { kind: RecordKind; id: string }) {
  const query = useQuery(terraformQuery(kind, id));
  return (
    <Section title={words.terraform} text={words.terraformText}>
      <Loaded query={query}>
        {(written) =>
          written === null ? (
            <p>{words.notActive}</p>
          ) : (
            <>
              <CopyCode text={written.text} />
              {written.others.length > 0 && <Others others={written.others} />}
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

/** Terraform refuses a reference to what is not declared. */
function Others({ others }: { others: readonly OtherResource[] }) {
  return (
    <p className="mt-3 max-w-3xl text-sm text-pretty text-ink2">
      {words.refersTo}{' '}
      {others.map(({ id, kind, address }, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <OtherLink id={id} kind={kind} address={address} />
        </Fragment>
      ))}
      . {words.copyOthers}{' '}
      <a href="/docs/terraform" className="underline">
        {words.exportAll}
      </a>
      .
    </p>
  );
}

function OtherLink({ id, kind, address }: OtherResource) {
  const page = recordPages[kind];
  const name = <code className="wrap-anywhere">{address}</code>;
  if (page === undefined) return name;
  return (
    <Link to={pathOf(page, id)} search={sameTeam} className="underline">
      {name}
    </Link>
  );
}

function CopyCode({ text }: { text: string }) {
  const [code, setCode] = useState<HTMLPreElement | null>(null);
  const { outcome, copy } = useCopy(text, () => {
    if (code) getSelection()?.selectAllChildren(code);
    return uiWords.selected;
  });
  return (
    <div className="flex max-w-3xl flex-col gap-2">
      <section
        aria-label={words.configuration}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keys
        tabIndex={0}
        className="max-h-128 overflow-auto rounded-md bg-sunken p-3"
      >
        <pre ref={setCode} className="font-mono text-sm">
          {text}
        </pre>
      </section>
      {text.includes('= var.') && <p className="text-sm text-ink2">{words.secretsLeft}</p>}
      <div className="flex items-center gap-3">
        <Button icon="copy" onClick={() => void copy()}>
          {words.copyTerraform}
        </Button>
        <p role="status" className="text-sm text-ink2">
          {outcome}
        </p>
      </div>
    </div>
  );
}

const terraformQuery = (kind: RecordKind, id: string) =>
  queryOptions({
    queryKey: [keyOf(kind), id, 'terraform'],
    queryFn: async () => {
      const wantsMapping = (integrationId: string) => integrationId === id;
      const organization = await readOrganization(pager.client, { wantsMapping });
      if (!organization.ok) throw new PagerError(organization.failure);
      return recordConfiguration(organization.value, id);
    },
    staleTime: 0,
    ...ofItsOwn,
  });
