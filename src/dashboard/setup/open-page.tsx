// /incidents/new: somebody opens an incident without an alert.
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { priorities, severities } from '../../resources/priorities.ts';
import { incidentRole } from '../../resources/roles.ts';
import { PagerError, readList } from '../api/pager.ts';
import { useMay } from '../api/use-may.ts';
import { useWrite } from '../api/use-write.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { useTitle } from '../shell/use-title.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { NotAllowed } from '../ui/not-allowed.tsx';
import { Empty, Trouble } from '../ui/panel.tsx';
import { formWords as form } from './form-words.ts';
import { bodyOf, type Detail, emptyReport, type Report } from './report.ts';
import { words } from './words.ts';

type Named = { readonly id: string; readonly name: string; readonly team_id: string };

export function OpenPage() {
  useTitle(words.open);
  const services = useQuery({
    queryKey: ['services'],
    queryFn: () => readList<Named>('/services'),
  });
  const policies = useQuery({
    queryKey: ['escalation-policies'],
    queryFn: () => readList<Named>('/escalation-policies'),
  });
  const isAllowed = useMay(incidentRole);
  if (isAllowed === false) return <NotAllowed title={words.open} least={incidentRole} />;
  const failed = [services, policies].find(
    ({ error, data }) => data === undefined && error instanceof PagerError,
  );
  return (
    <>
      <PageHeader title={words.open} />
      {failed?.error instanceof PagerError && (
        <Trouble
          title={form.failed}
          failure={failed.error.failure}
          retry={() => void failed.refetch()}
        />
      )}
      {services.data?.length === 0 && <Empty title={form.noService} text={form.noServiceText} />}
      {services.data && services.data.length > 0 && policies.data && (
        <OpenForm services={services.data} policies={policies.data} />
      )}
    </>
  );
}

type OpenFormProps = { services: readonly Named[]; policies: readonly Named[] };

function OpenForm({ services, policies }: OpenFormProps) {
  const { send, isPending, failure } = useWrite(['incidents']);
  const navigate = useNavigate();
  const [only] = services;
  const [report, setReport] = useState<Report>({
    ...emptyReport,
    service: services.length === 1 && only ? only.id : '',
  });
  const change = (fields: Partial<Report>) => setReport((now) => ({ ...now, ...fields }));
  const team = services.find(({ id }) => id === report.service)?.team_id;
  const save = async () => {
    const opened = await send({ method: 'POST', path: '/incidents', body: bodyOf(report) });
    if (opened)
      await navigate({ to: '/incidents/$number', params: { number: String(opened['number']) } });
  };
  return (
    <div className="p-4 md:p-5">
      <Form
        save={words.open}
        isPending={isPending}
        failure={failure}
        onSave={() => void save()}
        onCancel={() => void navigate({ to: '/incidents', ignoreBlocker: true })}
      >
        <TextField
          path="title"
          label={form.title}
          placeholder={form.titleHint}
          maxLength={200}
          autoComplete="off"
          value={report.title}
          onChange={(title) => change({ title })}
        />
        <SelectField
          path="service_id"
          label={form.service}
          value={report.service}
          options={[{ value: '', text: form.pickService }, ...services.map(optionOf)]}
          onChange={(service) => change({ service, policy: '' })}
        />
        <SelectField
          path="escalation_policy_id"
          label={form.policy}
          help={form.policyHelp}
          value={report.policy}
          options={[
            { value: '', text: form.servicePolicy },
            ...policies.filter(({ team_id }) => team_id === team).map(optionOf),
          ]}
          onChange={(policy) => change({ policy })}
        />
        <div className="grid grid-cols-2 gap-4">
          <SelectField
            path="priority"
            label={form.priority}
            value={report.priority}
            options={[none, ...priorities.map(shortOf)]}
            onChange={(priority) => change({ priority })}
          />
          <SelectField
            path="severity"
            label={form.severity}
            value={report.severity}
            options={[none, ...severities.map(shortOf)]}
            onChange={(severity) => change({ severity })}
          />
        </div>
        <Details details={report.details} onChange={(details) => change({ details })} />
      </Form>
    </div>
  );
}

const none = { value: '', text: form.none };
const optionOf = ({ id, name }: Named) => ({ value: id, text: name });
const shortOf = (value: string) => ({ value, text: value.toUpperCase() });

type DetailsProps = {
  details: readonly Detail[];
  onChange: (details: readonly Detail[]) => void;
};

function Details({ details, onChange }: DetailsProps) {
  const set = (changed: Detail) =>
    onChange(details.map((one) => (one.id === changed.id ? changed : one)));
  const nextId = Math.max(0, ...details.map(({ id }) => id)) + 1;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">{form.details}</legend>
      {details.map((one, index) => (
        <div key={one.id} className="grid grid-cols-[1fr_1fr_auto] items-center gap-2">
          <input
            aria-label={form.detailName(index + 1)}
            className={box}
            value={one.name}
            onChange={({ target }) => set({ ...one, name: target.value })}
          />
          <input
            aria-label={form.detailValue(index + 1)}
            className={box}
            value={one.value}
            onChange={({ target }) => set({ ...one, value: target.value })}
          />
          <IconButton
            icon="x"
            label={form.removeDetail(index + 1)}
            onClick={() => onChange(details.filter(({ id }) => id !== one.id))}
          />
        </div>
      ))}
      <Button
        className="self-start"
        onClick={() => onChange([...details, { id: nextId, name: '', value: '' }])}
      >
        {form.addDetail}
      </Button>
    </fieldset>
  );
}

const box =
  'h-9 w-full min-w-0 rounded-md border border-edge bg-surface px-2.5 pointer-coarse:h-11 pointer-coarse:text-lg';
