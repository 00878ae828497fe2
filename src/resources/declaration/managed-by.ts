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
      word('The workspace of its configuration, such as prod. Absent if it sent none.'),
    ),
  },
  `The tool that manages the record, from the ${MANAGED_BY_HEADER} header of the last write that had one. Absent if none did. Writes without the header do not change it. A PATCH with null removes it.`,
);
export type ManagedBy = Readonly<Static<typeof managedBySchema>>;

/** By which a list can be narrowed. */
export const managingTool = choice(tools, { doc: 'Returns only records that this tool manages.' });

/** For people. */
export const workspaceForm = `1 to ${queryLimits.workspaceLength} visible ASCII characters`;
const workspaceClass = `[!-~]{1,${queryLimits.workspaceLength}}`;
const workspaces = new RegExp(`^${workspaceClass}$`);
export const isWorkspace = (text: string): boolean => workspaces.test(text);

export const managedByLength = 'terraform/'.length + queryLimits.workspaceLength;
/** What the header may hold. */
export const managedByPattern = `^(?:${tools.join('|')})(?:/${workspaceClass})?$`;

/** Of a text that matches the pattern. */
export function readManagedBy(text: string): ManagedBy {
  const [name, ...rest] = text.split('/');
  const [tool] = tools.filter((one) => one === name);
  if (tool === undefined) throw new Error(`${text} is not a tool name`);
  return rest.length === 0 ? { tool } : { tool, workspace: rest.join('/') };
}
