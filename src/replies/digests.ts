// What is stored of codes and addresses, which cannot be read back from it.
import type { Secrets } from '../storage/sealed/secrets.ts';

type Digesting = Pick<Secrets, 'digest'>;

export const linkCodeDigest = ({ digest }: Digesting, code: string) => digest(`link code ${code}`);

/** Of a code that an account at a vendor was sent, to be shown in Pager by its person. */
export const chatLinkDigest = ({ digest }: Digesting, code: string) =>
  digest(`chat link code ${code}`);

/** The same for everybody who adds the address. */
export const addressDigest = ({ digest }: Digesting, address: string) =>
  digest(`address ${address.toLowerCase()}`);
