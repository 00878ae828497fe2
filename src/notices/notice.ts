/** Anything we say about an incident to one person or one chat channel, before it has a form. */
export type Notice = {
  readonly kind: 'page' | 'all_clear' | 'assigned' | 'responder_added' | 'nobody_paged' | 'storm';
  /** The same for every attempt at this notice. */
  readonly key: string;
  readonly organization: { readonly id: string; readonly name: string };
  readonly incident: {
    readonly id: string;
    readonly number: number;
    readonly title: string;
    readonly status: 'triggered' | 'acknowledged' | 'resolved';
    readonly priority?: string;
    readonly severity?: string;
    readonly service: string;
    readonly details: string;
    readonly links: readonly { readonly href: string; readonly text?: string }[];
    readonly url: string;
    readonly created_at: Temporal.Instant;
    readonly resolved_by?: string;
  };
  /** The name of the person it is for. */
  readonly recipient?: string;
  /** Whom a chat message should ping, as the chat writes it or as `@channel`, `@here`. */
  readonly mention?: string;
  readonly channel_name?: string;
  /** Why this recipient gets it, to stand after "because": "step 1 of policy Payments". */
  readonly why: string;
  /** Pages that ask for confirmation: opening one changes nothing. */
  readonly links?: { readonly acknowledge: string; readonly resolve: string };
};
