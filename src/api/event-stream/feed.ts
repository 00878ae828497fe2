// What changed in one organization, numbered, for those who follow it now and for those who come
// back within a minute.
import { eventStreamLimits } from '../../limits/event-stream.ts';
import type { Hint } from '../../storage/organizations/hints.ts';
import { type Caller, maySee } from '../route.ts';

/** Why a stream ended, as metrics count it. */
export type StreamEnd = 'reader' | 'slow' | 'not_allowed' | 'time' | 'stop';

export type Reader = {
  readonly caller: Caller;
  readonly beganAt: Temporal.Instant;
  /** Something, if only a heartbeat. */
  sentAt: Temporal.Instant;
  send(text: string): void;
  end(why: StreamEnd): void;
};

type Sent = { readonly number: number; readonly hint: Hint; readonly text: string };

export class Feed {
  /** Up to which version of the configuration changes were told. */
  version: number;
  readonly readers = new Set<Reader>();
  /** Of incidents that changed and were not told yet. */
  readonly incidents = new Set<string>();
  /** Since when nobody listens. */
  emptySince: Temporal.Instant | null = null;
  /** Until when nothing is told, for there was too much. */
  restsUntil: Temporal.Instant | null = null;
  /** Other servers' changes may have been missed, or there are too many. */
  isLost = false;
  readonly #name: string;
  #sent: Sent[] = [];
  #last = 0;

  /** `name`: of no other feed, on this server or another, before or after. */
  constructor(name: string, version: number) {
    this.#name = name;
    this.version = version;
  }

  changed(id: string): void {
    // Beyond, all are told by one reset.
    if (this.incidents.size <= eventStreamLimits.hints) this.incidents.add(id);
  }

  /** With what they missed since that event of theirs, or a reset. */
  begin(reader: Reader, lastEventId: string | undefined): void {
    const missed = this.#since(lastEventId);
    reader.send(
      missed === null ? this.#resetText() : missed.map((one) => textFor(reader, one)).join(''),
    );
    this.readers.add(reader);
    this.emptySince = null;
  }

  leave(reader: Reader, now: Temporal.Instant): void {
    this.readers.delete(reader);
    if (this.readers.size === 0) this.emptySince = now;
  }

  publish(hints: readonly Hint[]): void {
    const published = hints.map((hint) => this.#number(hint));
    this.#sent = [...this.#sent, ...published].slice(-eventStreamLimits.remembered);
    for (const reader of this.readers) {
      const text = published.map((one) => textFor(reader, one)).join('');
      if (text !== '') reader.send(text);
    }
  }

  /** Everybody is to read anew what they show. */
  reset(): void {
    this.#last += 1;
    this.#sent = [];
    this.incidents.clear();
    this.isLost = false;
    for (const reader of this.readers) reader.send(this.#resetText());
  }

  #number(hint: Hint): Sent {
    this.#last += 1;
    const text = `id: ${this.#idOf(this.#last)}\nevent: hint\ndata: ${JSON.stringify(hint)}\n\n`;
    return { number: this.#last, hint, text };
  }

  /** Null: they are no longer known. */
  #since(lastEventId: string | undefined): readonly Sent[] | null {
    const number = numberIn(lastEventId, this.#name);
    const first = this.#last - this.#sent.length;
    if (number === null || number < first || number > this.#last) return null;
    return this.#sent.filter((one) => one.number > number);
  }

  #resetText(): string {
    return `id: ${this.#idOf(this.#last)}\nevent: reset\ndata: {}\n\n`;
  }

  #idOf(number: number): string {
    return `${this.#name}-${number}`;
  }
}

const textFor = ({ caller }: Reader, { hint, text }: Sent): string =>
  maySee(caller, hint.team_id) ? text : '';

function numberIn(eventId: string | undefined, name: string): number | null {
  const [, of, number] = /^(\w{1,64})-([0-9]{1,15})$/.exec(eventId ?? '') ?? [];
  return of === name ? Number(number) : null;
}
