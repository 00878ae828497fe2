// What the provider keeps of a record beside its state, where Terraform shows it to nobody.

export type PrivateState = {
  /** The one that was last seen; none is known of a state that others wrote. */
  readonly version?: number | undefined;
  /** The one of the API key that it was last seen with. */
  readonly organizationId?: string | undefined;
  /** The key of the last rotation of its secret, or what its import has in place of one. */
  readonly rotation?: string | undefined;
  /** Of a singleton: the attributes that Terraform manages. */
  readonly configured?: readonly string[] | undefined;
  /** Of a record that is to be archived: what its plan reported, which its apply does not repeat. */
  readonly reported?: readonly string[] | undefined;
};

export const writePrivateState = ({ organizationId, ...others }: PrivateState): Uint8Array =>
  Buffer.from(JSON.stringify({ ...others, organization_id: organizationId }));

export function readPrivateState(bytes: Uint8Array): PrivateState {
  if (bytes.length === 0) return {};
  const stored = JSON.parse(Buffer.from(bytes).toString());
  const { version, organization_id: id, rotation, configured, reported } = stored;
  return {
    version: typeof version === 'number' ? version : undefined,
    organizationId: typeof id === 'string' ? id : undefined,
    rotation: typeof rotation === 'string' ? rotation : undefined,
    configured: Array.isArray(configured) ? configured : undefined,
    reported: Array.isArray(reported) ? reported : undefined,
  };
}
