/**
 * An address of a contact, as much of it as lets those who know it recognize it: the last four digits
 * of a number or a chat id, the first letter and the domain of an e-mail address.
 */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf('@');
  return at < 0 ? `…${address.slice(-4)}` : `${address.slice(0, 1)}…${address.slice(at)}`;
}

/** A text from outside without any of these addresses. */
export const withMaskedAddresses = (text: string, addresses: readonly string[]): string =>
  addresses
    .flatMap((address) => [address, address.replace(/^\+/, '')])
    .filter((address) => address !== '')
    .reduce((all, address) => {
      const written = new RegExp(RegExp.escape(address), 'gi');
      return all.replace(written, (same) => maskedAddress(same));
    }, text);
