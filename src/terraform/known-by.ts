// What is known by one of its fields, as people are by their e-mail addresses.
import type { Fields, Result } from '../client/answer.ts';
import type { Client } from '../client/client.ts';
import { listAll } from '../client/pages.ts';
import type { Resource } from '../resources/declaration/resource.ts';

type Known = Pick<Resource, 'route' | 'knownBy'>;

/** Terraform composes letters and the API does not, so it may have the text in another form. */
export async function findKnown(
  client: Client,
  { route, knownBy }: Known,
  text: string,
): Promise<Result<readonly Fields[]>> {
  if (isPlain(text)) return listAll(client, `/${route}`, { [knownBy]: text });
  const all = await listAll(client, `/${route}`);
  if (!all.ok) return all;
  return {
    ok: true,
    value: all.value.filter((one) => folded(String(one[knownBy])) === folded(text)),
  };
}

const isPlain = (text: string) => /^[ -~]*$/.test(text);

/** For comparisons: case and Unicode form do not matter. */
export const folded = (text: string) => text.normalize('NFC').toLowerCase();
