// What the provider keeps of a record beside its state, where Terraform shows it to nobody.

export type PrivateState = {
  /** The one that was last seen; none is known of a state that others wrote. */
  readonly version?: number | undefined;
};

export const writePrivateState = ({ version }: PrivateState): Uint8Array =>
  Buffer.from(JSON.stringify({ version }));

export function readPrivateState(bytes: Uint8Array): PrivateState {
  if (bytes.length === 0) return {};
  const { version } = JSON.parse(Buffer.from(bytes).toString());
  return { version: typeof version === 'number' ? version : undefined };
}
