// Reads of single records, answered from lists where many are asked for: Terraform refreshes
// record by record, and a thousand records need not be a thousand calls.

import { Gate } from '../admission/gate.ts';
import type { Resource } from '../resources/declaration/resource.ts';
import type { Result } from './answer.ts';
import { hasDetailRoute, type RecordOf, type Records } from './records.ts';

const SINGLES_AT_ONCE_MAX = 8;
/** Reads of one type that are answered singly; with one more, a list pays. */
const SINGLES_MAX = 2;
const GATHER_MS = 2;

type Sharing = {
  /** Lets others ask in the same moment. */
  readonly gather?: () => Promise<void>;
};

/**
 * The same records for one run: what was read is shared until something is written. Of a schedule it
 * may lack the identities and anchors of layers, which lists leave out. An API that is too old to
 * have the route of a whole schedule lists them all the same: it answers each read as if alone.
 */
export function shareReads(records: Records, { gather = moment }: Sharing = {}): Records {
  const lists = new Map<string, SharedList>();
  /** Of kinds with a route that reads all of one: whether the API has it, by the first read. */
  const detailRoutes = new Map<string, Promise<boolean>>();
  const gate = new Gate(SINGLES_AT_ONCE_MAX);

  function listOf(resource: Resource): SharedList {
    const list = lists.get(resource.route) ?? new SharedList(records, resource);
    lists.set(resource.route, list);
    return list;
  }

  /** A write may move other records too, as the archive of a policy does: nothing stays known. */
  async function writing<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } finally {
      lists.clear();
    }
  }

  return {
    ...records,
    create: (resource, creation) => writing(records.create(resource, creation)),
    update: (resource, change) => writing(records.update(resource, change)),
    rotate: (resource, rotation) => writing(records.rotate(resource, rotation)),
    archive: (resource, ending) => writing(records.archive(resource, ending)),

    async read<R extends Resource>(resource: R, key: string) {
      const single = () => gate.pass(() => records.read(resource, key));
      const tested = detailRoutes.get(resource.name);
      if (hasDetailRoute(resource) && tested === undefined) {
        const first = single();
        detailRoutes.set(resource.name, first.then(isOfItsRoute));
        return first;
      }
      const isListed = /^[0-9a-f]{24}$/.test(key) && (await tested) !== false;
      const shared = isListed ? await listOf(resource).find(key, gather) : undefined;
      return shared === undefined ? single() : { ok: true, value: shared as RecordOf<R> };
    },
  };
}

const isOfItsRoute = (read: Result<unknown>): boolean =>
  read.ok || (read.failure.type === 'refused' && read.failure.code === 'not_found');

/** The active records of one type, read page by page as more of them are asked for. */
class SharedList {
  readonly #records: Records;
  readonly #resource: Resource;
  readonly #known = new Map<string, RecordOf<Resource>>();
  readonly #requested = new Set<string>();
  #pages = 0;
  #cursor: string | null = null;
  #isWhole = false;
  #growing: Promise<void> | undefined;

  constructor(records: Records, resource: Resource) {
    this.#records = records;
    this.#resource = resource;
  }

  /** Undefined: to be read singly. */
  async find(id: string, gather: () => Promise<void>): Promise<RecordOf<Resource> | undefined> {
    this.#requested.add(id);
    if (this.#requested.size <= SINGLES_MAX) await gather();
    while (!this.#known.has(id) && this.#mayGrow()) await this.#grow();
    return this.#known.get(id);
  }

  /** Never more pages than single reads in their place, however many records there are. */
  #mayGrow(): boolean {
    return !this.#isWhole && this.#requested.size > Math.max(SINGLES_MAX, this.#pages);
  }

  #grow(): Promise<void> {
    this.#growing ??= this.#readNext().finally(() => {
      this.#growing = undefined;
    });
    return this.#growing;
  }

  async #readNext(): Promise<void> {
    const page = await this.#records.page(this.#resource, this.#cursor);
    this.#pages += 1;
    // When a list fails, its records are read one by one, and those reads report what is wrong.
    this.#isWhole = !page.ok || page.value.next_cursor === null;
    if (!page.ok) return;
    this.#cursor = page.value.next_cursor;
    for (const record of page.value.data) this.#known.set(record.id, record);
  }
}

const moment = () => new Promise<void>((resolve) => setTimeout(resolve, GATHER_MS));
