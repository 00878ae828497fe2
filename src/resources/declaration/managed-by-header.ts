// Apart from what is declared of it: every client sends it, and a browser declares nothing.

export const MANAGED_BY_HEADER = 'x-managed-by';

type Text = { readonly tool: string; readonly workspace?: string };

/** What the header has: `terraform`, or `terraform/prod`. */
export const managedByText = ({ tool, workspace }: Text): string =>
  workspace === undefined ? tool : `${tool}/${workspace}`;
