import type { IncidentNotice } from '../../notices/notice.ts';

/** What somebody did at a vendor, as its channel reads it. `address`: as their contact has it. */
export type Inbound =
  /** They sent what Pager gave them to link this chat. */
  | { readonly type: 'start'; readonly address: string; readonly code: string }
  /** They pressed a button of a message; `handle` is what the button carries. */
  | { readonly type: 'press'; readonly address: string; readonly handle: string }
  | { readonly type: 'text'; readonly address: string; readonly text: string }
  /** They let nothing more through, or do so again. */
  | { readonly type: 'blocked'; readonly address: string }
  | { readonly type: 'restored'; readonly address: string };

/** What they are answered; null: nothing. */
export type Reply = {
  readonly text: string;
  /** What the message that they pressed a button of is to show from now on. */
  readonly edit?: Edit;
} | null;

export type Edit = {
  readonly notice: IncidentNotice;
  /** What they have done; absent where nothing was. */
  readonly taken?: { readonly action: string; readonly by: string; readonly at: Temporal.Instant };
};
