// Passkeys as browsers make them, and where they can.

export type Passkey = {
  readonly id: string;
  readonly name: string;
  readonly synced: boolean;
  readonly created_at: string;
  readonly last_used_at: string | null;
};

export type Passkeys = {
  readonly data: readonly Passkey[];
  /** At this server's address. */
  readonly usable: boolean;
  readonly reason?: string;
  readonly origin?: string;
};

/** Of this page: its address, and whether its browser knows passkeys. */
export type Here = { readonly origin: string; readonly isKnown: boolean };

export const here = (): Here => ({
  origin: location.origin,
  isKnown: typeof globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON === 'function',
});

/** Why none can be added here; null: one can. */
export function whyNot({ usable, reason, origin }: Passkeys, at: Here): string | null {
  if (!usable) return reason ?? null;
  if (at.origin !== origin) return `Passkeys work only at ${origin}. Open Pager there.`;
  return at.isKnown ? null : 'This browser does not support passkeys.';
}

/** What the browser made of the options; a text: why it made none. */
export async function makePasskey(options: unknown): Promise<object | string> {
  try {
    // As the API answers it: what this function takes.
    const json = options as PublicKeyCredentialCreationOptionsJSON;
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json);
    const made = await navigator.credentials.create({ publicKey });
    return (made as PublicKeyCredential).toJSON();
  } catch (error) {
    const { name } = error as Error;
    return name === 'InvalidStateError'
      ? 'This device already has a passkey of your account.'
      : 'No passkey was created. Try again.';
  }
}
