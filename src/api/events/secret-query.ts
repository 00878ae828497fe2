// Secrets that senders put into the addresses they call: everybody in a team reads its stored events.
import { MASK } from '../../resources/declaration/references-and-secrets.ts';

const PART = /token|secret|passw|passphrase|signature|credential/;
const WHOLE =
  /^(?:pwd|pass|sig|hmac|auth|authorization|bearer|jwt|code|key|sas)$|(?:api|access|auth|private|service|routing|integration)key$/;

/** Whether a parameter of that name holds a secret: `token`, `api_key`, `X-Amz-Signature`. */
function isSecret(name: string): boolean {
  const plain = decoded(name)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
  return PART.test(plain) || WHOLE.test(plain);
}

/** As it came, where that is no percent-encoding. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** A query with a mask in place of each value that its name says is secret. */
export const withoutSecretValues = (query: string): string =>
  query
    .split('&')
    .map((parameter) => {
      const [name = '', ...value] = parameter.split('=');
      return value.join('') === '' || !isSecret(name) ? parameter : `${name}=${MASK}`;
    })
    .join('&');
