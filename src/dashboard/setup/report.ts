// What somebody types who opens an incident, as the API takes it.

export type Detail = { readonly id: number; readonly name: string; readonly value: string };
export type Report = {
  readonly title: string;
  readonly service: string;
  readonly policy: string;
  readonly priority: string;
  readonly severity: string;
  readonly details: readonly Detail[];
};

export const emptyReport: Report = {
  title: '',
  service: '',
  policy: '',
  priority: '',
  severity: '',
  details: [],
};

/** What is empty is absent; of details with one name the last one counts. */
export function bodyOf({ title, service, policy, priority, severity, details }: Report) {
  const named = details.filter(({ name }) => name.trim() !== '');
  return {
    title,
    ...(service && { service_id: service }),
    ...(policy && { escalation_policy_id: policy }),
    ...(priority && { priority }),
    ...(severity && { severity }),
    ...(named.length > 0 && {
      details: Object.fromEntries(named.map(({ name, value }) => [name.trim(), value])),
    }),
  };
}
