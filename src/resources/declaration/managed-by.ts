// Which tool says that it manages a record, and in which of its workspaces. It says so in a header,
// which a server that is too old for it passes over: unknown fields of a body would be refused.
import type { Static } from 'typebox';
import { queryLimits } from '../../limits/queries.ts';
import { word } from './answer.ts';
import { choice, objectOf, optional } from './field.ts';
import { MANAGED_BY_HEADER } from './managed-by-header.ts';

const tools = ['terraform'] as const;

export const managedBySchema = objectOf(
  {
    tool: choice(tools, { doc: 'The tool that manages the record.' }),
    workspace: optional(
      word('The workspace of its configuration, such as prod; absent when it named none.'),
    ),
  },
  `The tool that said last that it manages the record, by the header ${MANAGED_BY_HEADER} of a write; absent when none did. Other writes leave it as it is; a PATCH with null removes it.`,
);
export type ManagedBy = Readonly<Static<typeof managedBySchema>>;

/** By which a list can be narrowed. */
export const managingTool = choice(tools, { doc: 'Only records that this tool manages.' });

/** For people. */
export const workspaceForm = `1 to ${queryLimits.workspaceLength} visible ASCII characters`;
const workspaces = new RegExp(`^[!-~]{1,${queryLimits.workspaceLength}}$`);
export const isWorkspace = (text: string): boolean => workspaces.test(text);

/** Undefined: it is no such text. */
export function readManagedBy(text: string): ManagedBy | undefined {
  const [name, ...rest] = text.split('/');
  const tool = tools.find((one) => one === name);
  if (tool === undefined || rest.length === 0) return tool && { tool };
  const workspace = rest.join('/');
  return isWorkspace(workspace) ? { tool, workspace } : undefined;
}
