// One seed's story: the real Terraform applies random configurations while requests and answers are
// lost, late or not the API's, it is killed, and people change records by hand. When the trouble is
// over, an apply makes everything as configured, and leaves nothing to do.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fieldOf, isList } from '../../../src/terraform/convert.ts';
import type { Value } from '../../../src/terraform/protocol/value.ts';
import type { Attribute } from '../../../src/terraform/schema.ts';
import { Luck } from '../../simulation/luck.ts';
import { inProcessKey } from '../../system/in-process.ts';
import { pathsIn, replacedAt, valueAt } from '../paths.ts';
import {
  existingIn,
  type Fields,
  literal,
  type Resources,
  type RunningTerraform,
  startTerraform,
} from '../running-terraform.ts';
import { calm, trouble } from './faults.ts';
import { drawn, importId, type Known, kindOf, kinds, pathOf, settings } from './kinds.ts';

const STEPS = 3;
const PER_TYPE = 2;
/** Shorter ones may be in a text by chance. */
const SECRET_LENGTH_MIN = 12;

type Existing = Awaited<ReturnType<typeof existingIn>>;
type Configured = { readonly resource: Resources | readonly object[]; readonly import?: object };

export type Tally = Map<string, number>;

/** A server and a Terraform for many stories, each of which leaves them as it found them. */
export async function openWorld() {
  const at = await startTerraform({}, { TF_LOG_PROVIDER: 'debug' }, 'started');
  const existing = await existingIn(at);
  const tally: Tally = new Map();
  return { at, existing, tally, [Symbol.asyncDispose]: () => at[Symbol.asyncDispose]() };
}
export type World = Awaited<ReturnType<typeof openWorld>>;

export async function live(world: World, seed: number): Promise<void> {
  const story = new Story(world, seed);
  try {
    await story.live();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const again = `npm run simulate:terraform -- --from ${seed} --seeds 1`;
    throw new Error(`seed ${seed}: ${reason}\n${story.lines.join('\n')}\n${again}`, {
      cause: error,
    });
  }
}

class Story {
  readonly lines: string[] = [];
  readonly #at: RunningTerraform;
  readonly #existing: Existing;
  readonly #tally: Tally;
  readonly #seed: number;
  readonly #luck: Luck;
  /** Active before it began, and what others made since. */
  readonly #others = new Map<string, Known>();
  /** What each known id is called in every run. */
  readonly #names = new Map<string, string>();
  /** Created by a Terraform that was killed: nobody may know of them. */
  readonly #unheard = new Set<string>();
  readonly #secrets = new Set([inProcessKey]);
  #printed = '';
  /** By address, as configured. */
  #fields = new Map<string, Fields>();

  constructor({ at, existing, tally }: World, seed: number) {
    this.#at = at;
    this.#existing = existing;
    this.#tally = tally;
    this.#seed = seed;
    this.#luck = new Luck(seed);
  }

  async live(): Promise<void> {
    calm(this.#at.proxy);
    await this.#at.forget();
    for (const [kind, ids] of Object.entries(this.#existing))
      for (const [index, id] of ids.entries()) this.#names.set(id, `${kind}.${index}`);
    for (const { one } of await this.#active()) this.#others.set(one.id, one);
    for (let step = 0; step <= STEPS; step += 1) await this.#step(step);
  }

  async #step(step: number): Promise<void> {
    const luck = this.#luck;
    const isImport = step > 0 && step < STEPS && luck.chance(0.3);
    const known = await this.#state();
    for (const [address, { id }] of known) this.#names.set(String(id), address);
    if (isImport) this.#note(`step ${step}: everything is imported`);
    else this.#draw(step);
    const configured = { ...this.#configured(step), ...(isImport && { import: importsOf(known) }) };
    if (isImport) await this.#at.forget();
    if (luck.chance(0.5)) await this.#byHand(known, isImport);
    const times = luck.chance(0.4) ? 2 : 1;
    for (let time = 0; time < times; time += 1)
      await this.#applyInTrouble(`${step}.${time}`, configured);
    if (luck.chance(0.3)) await this.#byHand(known, isImport);
    await this.#settle(configured);
  }

  /** Some records come, go and change; the first of each kind stays to the end, for others to name. */
  #draw(step: number): void {
    const luck = this.#luck;
    const before = this.#fields;
    this.#fields = new Map();
    const count = step === STEPS ? 0 : PER_TYPE;
    const resources = drawn(this.#existing, count, this.#seed * 100 + step);
    for (const [type, ofType] of Object.entries(resources))
      for (const [name, fields] of Object.entries(ofType)) {
        const address = `${type}.${name}`;
        if (name !== 'r0' && luck.chance(0.3)) continue;
        const stays = before.get(address);
        const isSame = stays !== undefined && luck.chance(0.3);
        this.#fields.set(address, isSame ? stays : this.#related(type, literal(fields)));
      }
    this.#note(`step ${step}: ${[...this.#fields.keys()].join(' ')}`);
  }

  /** With references to other resources in the place of some ids. */
  #related(type: string, fields: Fields): Fields {
    const rank = (kind: string) => order.indexOf(kind);
    const text = JSON.stringify(fields).replace(/"([0-9a-f]{24})"/g, (whole, id: string) => {
      const kind =
        Object.entries(this.#existing).find(([, ids]) =>
          (ids as readonly string[]).includes(id),
        )?.[0] ?? '';
      const isEarlier = rank(kind) >= 0 && rank(kind) < rank(type.replace('pager_', ''));
      return isEarlier && this.#luck.chance(0.5) ? `"\${pager_${kind}.r0.id}"` : whole;
    });
    return JSON.parse(text);
  }

  /** Of some records one value is known only in the apply. */
  #configured(step: number): Configured {
    const late: unknown[] = [];
    const records = [...this.#fields].map(([address, fields]) => {
      const [type = '', name = ''] = address.split('.');
      const isTemporary = name !== 'r0';
      // Of settings there is one only: the end of the first would reset the other.
      const mayBeFirst = isTemporary && type !== settings;
      const lifecycle = mayBeFirst && this.#luck.chance(0.3) ? madeFirst : {};
      const paths = pathsIn(fields).filter((path) => mayBeLate(valueAt(fields, path)));
      if (!this.#luck.chance(0.3) || paths.length === 0)
        return { [type]: { [name]: { ...fields, ...lifecycle } } };
      const path = this.#luck.of(paths);
      late.push(valueAt(fields, path));
      const value = `\${terraform_data.late.output[${late.length - 1}]}`;
      return { [type]: { [name]: { ...replacedAt(fields, path, value), ...lifecycle } } };
    });
    const terraform_data = { late: { input: late, triggers_replace: step, ...madeFirst } };
    return { resource: [{ terraform_data }, ...records] };
  }

  async #byHand(known: ReadonlyMap<string, Fields>, isImport: boolean): Promise<void> {
    const { api } = this.#at.server;
    const luck = this.#luck;
    const [address, fields] = known.size > 0 ? luck.of([...known]) : [];
    if (address === undefined || luck.chance(0.3)) {
      const name = String(fields?.['name'] ?? 'r0');
      const stranger: Known = await api.create('services', { name });
      this.#others.set(stranger.id, stranger);
      this.#note(`by hand: another service ${JSON.stringify(name)}`);
    } else if (luck.chance(0.5) || isImport || staysByHand(address)) {
      const { byHand } = kindOf(address);
      const { status } = await api.send(`PATCH ${pathOf(address, fields)}`, byHand);
      this.#note(`by hand: ${address} is changed (${status})`);
    } else {
      const { status } = await api.send(`DELETE ${pathOf(address, fields)}`);
      this.#note(`by hand: ${address} is archived (${status})`);
    }
    this.#count('changes by hand');
  }

  async #applyInTrouble(name: string, configured: Configured): Promise<void> {
    const luck = this.#luck;
    const chances = { reads: luck.of([0, 0, 0.03, 0.2]), writes: luck.of([0.05, 0.2, 0.5]) };
    const pager = { timeout: luck.of([1, 2, 3]), max_retries: luck.below(4) };
    const killing = luck.chance(0.4) ? luck.of(killings) : undefined;
    const atWrite = 1 + luck.below(5);
    const isAfter = luck.chance(0.5);
    const temporary = [...this.#fields.keys()].filter((address) => !address.endsWith('.r0'));
    // Killed between the two, it would import what it has archived.
    const mayReplace = temporary.length > 0 && configured.import === undefined;
    const replaced = mayReplace && luck.chance(0.3) ? luck.of(temporary) : undefined;
    const isHard = killing !== undefined && killing !== 'SIGINT' && killing !== 'SIGTERM';
    const kills = killing && { killing, atWrite };
    const trial = { ...chances, ...pager, ...kills, replaced };
    this.#note(`apply ${name}: ${JSON.stringify(trial)}`);
    await this.#at.configure({ provider: { pager }, ...configured });
    const created: string[] = [];
    let writes = 0;
    const isKilled = Promise.withResolvers<void>();
    trouble(this.#at.proxy, {
      seed: `${this.#seed}.${name}`,
      chances,
      stable: (text) => this.#stable(text),
      onFault: (fault, { method, path }) => {
        this.#count(`fault: ${fault}`);
        this.#note(`  ${this.#stable(`${method} ${path}`)}: ${fault}`);
      },
      onWrite: ({ method }, answer) => {
        const isDone = answer !== undefined;
        if (!isDone) writes += 1;
        if (isDone && method === 'POST') created.push(...idIn(answer));
        if (writes === atWrite && isDone === isAfter) isKilled.resolve();
      },
    });
    const passed = this.#at.proxy.passed.length;
    const args = replaced === undefined ? [] : [`-replace=${replaced}`];
    const apply = ['apply', '-auto-approve', '-input=false', ...args];
    const { pid, ended } = this.#at.workspace.startApart(...apply);
    let wasKilled = false;
    if (killing !== undefined) {
      await Promise.race([isKilled.promise, ended]);
      wasKilled = await kill(pid, killing);
      if (wasKilled) this.#note(`  ${killing}`);
      if (wasKilled) this.#count(`killed: ${killing}`);
    }
    const { code, output, errors } = await ended;
    await this.#at.proxy.idle();
    calm(this.#at.proxy);
    this.#count('requests', this.#at.proxy.passed.length - passed);
    this.#count(`applies that ${code === 0 ? 'succeeded' : 'failed'} in trouble`);
    this.#printed += output + errors;
    if (isHard && wasKilled) for (const id of created) this.#unheard.add(id);
    else assert.ok(code === 0 || code === 1, `it ended with ${code}`);
    assert.deepEqual((output + errors).match(fatal) ?? [], []);
    this.#note(`  ended with ${code}: ${[...new Set(errors.match(/Error: .*/g))].join(' | ')}`);
  }

  async #settle(configured: Configured): Promise<void> {
    const pager = { timeout: 600, max_retries: 1_000 };
    await this.#at.configure({ provider: { pager }, ...configured });
    for (const command of [
      ['apply', '-auto-approve'],
      ['plan', '-detailed-exitcode'],
    ]) {
      const { code, output, errors } = await this.#at.workspace.run(...command, '-input=false');
      this.#printed += output + errors;
      assert.equal(
        code,
        0,
        `${command.join(' ')}:\n${output.slice(-4_000)}${errors.replace(/^\d{4}-.*\n/gm, '').slice(-4_000)}`,
      );
      this.#count(command[0] === 'apply' ? 'applies after it' : 'empty plans');
    }
    await this.#check();
  }

  async #check(): Promise<void> {
    const state = await this.#state();
    assert.deepEqual([...state.keys()].sort(), [...this.#fields.keys()].sort());
    // The id of settings is that of their person, who is there anyhow.
    const stated = [...state].filter(([address]) => !address.startsWith(`${settings}.`));
    const ids = new Set(stated.map(([, { id }]) => String(id)));
    assert.equal(ids.size, stated.length);
    const active = new Map<string, Known>();
    for (const { path, one } of await this.#active()) {
      active.set(one.id, one);
      if (ids.has(one.id) || this.#others.has(one.id)) continue;
      assert.ok(this.#unheard.has(one.id), `nobody knows ${path} ${JSON.stringify(one)}`);
      await this.#at.server.api.send(`DELETE ${path}`);
      this.#count('records of killed applies that nobody knew');
    }
    for (const id of ids) assert.ok(active.has(id), `${this.#names.get(id)} ${id} is gone`);
    for (const [id, { version }] of this.#others)
      assert.equal(active.get(id)?.version, version, `${this.#names.get(id)} ${id} of others`);
    for (const [address, fields] of state) {
      const { attributes } = kindOf(address);
      for (const secret of secretsIn(attributes, fields as Value)) this.#secrets.add(secret);
    }
    for (const secret of this.#secrets)
      assert.ok(!this.#printed.includes(secret), `a secret is shown: ${secret}`);
    assert.match(this.#printed, /terraform-provider-pager/);
    this.#count('steps');
  }

  async #active() {
    const all = await Promise.all(kinds.map((kind) => kind.active(this.#at.server.api)));
    return all.flat();
  }

  /** What Terraform keeps of each record, by its address. */
  async #state(): Promise<ReadonlyMap<string, Fields>> {
    const file = join(this.#at.workspace.folder, 'terraform.tfstate');
    const text = await readFile(file, 'utf8').catch(() => '{"resources":[]}');
    const { resources } = JSON.parse(text) as { readonly resources: readonly Stated[] };
    return new Map(
      resources
        .filter(({ type }) => type.startsWith('pager_'))
        .flatMap(({ type, name, instances }) =>
          instances.map(({ attributes }): [string, Fields] => [`${type}.${name}`, attributes]),
        ),
    );
  }

  /** The same in every run of this seed, as far as the ids are known. */
  #stable(text: string): string {
    return text.replace(/[0-9a-f]{24}/g, (id) => this.#names.get(id) ?? '?');
  }

  #note(line: string): void {
    this.lines.push(line);
  }

  #count(what: string, by = 1): void {
    this.#tally.set(what, (this.#tally.get(what) ?? 0) + by);
  }
}

type Stated = {
  readonly type: string;
  readonly name: string;
  readonly instances: readonly { readonly attributes: Fields }[];
};

/** Each may name those before it. */
const order = [
  ...['service', 'oncall_schedule', 'outbound_webhook', 'escalation_policy', 'integration'],
  ...['playbook', 'alert_routing_rule', 'override'],
];
/** Where it is replaced, the other one is made before this one goes. */
const madeFirst = { lifecycle: { create_before_destroy: true } };
const killings = ['SIGINT', 'SIGTERM', 'SIGKILL', 'SIGKILL of the provider'] as const;
const fatal = /(panic|crashed|Provider produced|TypeError|\bbug in\b)[\s\S]{0,900}/g;

/** Answers whether there was something to kill. */
async function kill(pid: number, how: (typeof killings)[number]): Promise<boolean> {
  const pids = how === 'SIGKILL of the provider' ? await childrenOf(pid) : [-pid];
  const signal = how === 'SIGINT' || how === 'SIGTERM' ? how : 'SIGKILL';
  return pids.map((each) => isSent(each, signal)).includes(true);
}

function isSent(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.trim().split(/\s+/).filter(Boolean).map(Number);
}

/** Settings cannot be archived. */
const staysByHand = (address: string) =>
  address.endsWith('.r0') || address.startsWith(`${settings}.`);

const importsOf = (known: ReadonlyMap<string, Fields>) =>
  [...known].map(([to, fields], index) => ({ to, id: importId(to, fields, index) }));

const idIn = (answer: string): readonly string[] =>
  /"id":"([0-9a-f]{24})"/.exec(answer)?.slice(1, 2) ?? [];

/** Neither a secret, for Terraform shows what its own resource puts out, nor of another record. */
const mayBeLate = (value: unknown) => !/:\/\/|"\$\{/.test(JSON.stringify(value));

function secretsIn(attributes: readonly Attribute[], value: Value): readonly string[] {
  if (isList(value)) return value.flatMap((one) => secretsIn(attributes, one));
  return attributes.flatMap(({ name, shape, isSensitive }) => {
    const is = fieldOf(value, name);
    if ('attributes' in shape) return secretsIn(shape.attributes, is);
    if (!isSensitive || typeof is !== 'string' || is.length < SECRET_LENGTH_MIN) return [];
    return [is];
  });
}
