// How a tool's messages are written down as data: where in a body stands what, and which of its
// words mean what. A declaration is JSON but for regular expressions, which may be literals.
import type {
  About,
  Guide,
  HandshakeAnswer,
  HandshakeRequest,
  HttpRequest,
  Priority,
  Reading,
  Severity,
  TestAlert,
  TestRequest,
} from '../alert.ts';
import type { Scope } from './path.ts';

/**
 * A place in a body, as src/alerts/reading/path.ts reads it: `a.b[0]["c.d"]`, `list[key=x].value`,
 * `x | y` for the first that is present, `^x` from the whole body, `@query.x`, `@header.x`, `@path`;
 * filters follow: `x > line`, `> cut /re/`, `> take /re/`, `> stem`, `> labels`, `> hash`, and of an object
 * `> without a b`, its members but those, and `> lasting`, a hash without its state, instants,
 * counters and measured values; `> links` lists the addresses anywhere in it.
 */
export type Place = string;

/** A place, or words with places in braces: `{host}: {state}`. Absent if one of its places is. */
export type Text = string;

type OneOrMore<One> = One | readonly One[];

/** Words with spaces between them, compared without case, `_` and `-`; or a regular expression. */
export type Words = string | RegExp;

/** `unwatched`: the tool no longer watches it, and will not report its end. */
export type Outcome = 'trigger' | 'acknowledge' | 'resolve' | 'nothing' | 'unwatched';

/**
 * What the word at a place means. A word that is in none of the lists is looked up in the common
 * table (src/alerts/words.ts), unless `else` says what it means; so it does of a template's leftover.
 */
export type StateRule = { readonly at: OneOrMore<Place> } & {
  readonly [outcome in Outcome]?: Words;
} & {
  readonly else?: Outcome;
  /** It is a line for people, whose marks of state src/alerts/marks.ts reads; no words are given. */
  readonly marks?: true;
};

export type SeverityRule = { readonly at: OneOrMore<Place>; readonly else?: Severity } & {
  readonly [severity in Severity]?: Words;
};

export type PriorityRule = { readonly at: OneOrMore<Place>; readonly else?: Priority } & {
  readonly [priority in Priority]?: Words;
};

/** One kind of message of a tool. The first form whose conditions all hold reads the message. */
export type Form = {
  /** `place` is present, `!place` is absent, `place=word`, `place~regular expression`. */
  readonly when?: readonly string[];
  /** A list whose elements are read as alerts of their own; places then start in the element. */
  readonly each?: Place;
  /** Alternatives for the title; or `name` and `message` for a title "name: message". */
  readonly title?: OneOrMore<Text>;
  /** What the problem is about; it is the key where no other is found. */
  readonly name?: OneOrMore<Text>;
  readonly message?: OneOrMore<Text>;
  /**
   * Where it is: put in front of a title that does not name it, and of a key that is made of the
   * title.
   */
  readonly host?: OneOrMore<Place>;
  /** Alternatives of places, joined with ` | `. One with an absent place is skipped. */
  readonly key?: readonly (readonly Text[])[];
  /** What the tool sends in place of a key for everything, so that it tells no problems apart. */
  readonly constants?: Words;
  /**
   * Somebody writes it as a template, which leaves a part empty that it has no value for. Not where
   * ends have the key alone, such as those of Opsgenie.
   */
  readonly isTemplate?: true;
  /** The key of the release 0.1.0, where it was another: what it opened is found by that. */
  readonly was?: readonly (readonly Text[])[];
  readonly state?: readonly StateRule[];
  readonly severity?: OneOrMore<Place> | SeverityRule;
  readonly priority?: OneOrMore<Place> | PriorityRule;
  /**
   * Addresses, by what they lead to: the first that is there; of a list each, by its own text if it
   * has one.
   */
  readonly links?: Readonly<Record<string, OneOrMore<Place>>>;
  /** When it resolves by itself unless it is sent again: a time of ISO 8601. */
  readonly until?: OneOrMore<Place>;
  /** What the log of events says of such a message, and the answer. */
  readonly note?: string;
  /** When the problem began, and when it ended: of tools that may send an alert late, or twice. */
  readonly began?: Place;
  readonly ended?: Place;
  /** How many alerts of its group the tool left out. */
  readonly cut?: Place;
  /** What the tool itself groups by. */
  readonly group?: Place;
  /** Secrets: neither stored nor shown. */
  readonly omit?: readonly Place[];
};

/** Forms that a team writes for one integration; regular expressions are texts in them. */
export type Mapping = {
  /** The number of mappings that the integration has had. */
  readonly revision: number;
  readonly forms: readonly Form[];
};

/** A form that code reads, where the notation does not suffice. */
export type CodedForm = Pick<Form, 'when' | 'omit'> & {
  /** The address says what it is, whatever the body holds. */
  readonly isOfAddress?: true;
  readonly read: (scope: Scope, about: About) => Reading;
};

/** A monitoring tool: the declaration that its reader, guide, list entry and tests come from. */
export type Tool = {
  /** Never changes. */
  readonly slug: string;
  /** In the vendor's spelling. */
  readonly name: string;
  readonly description: string;
  /** What it counts as one problem, and so what has one key: "One incident for each ...". */
  readonly problem: string;
  /** Its name in simple-icons, if it is there. */
  readonly logo?: string;
  /** The names of this type in other incident services. */
  readonly knownAs?: readonly string[];
  readonly guide: Guide;
  /** Names of headers that it reads, in lower case. */
  readonly headers?: readonly string[];
  /** Its messages may come through Amazon SNS. */
  readonly envelope?: 'sns';
  /** Its setting that limits how many alerts of a group it sends in one message. */
  readonly groupLimit?: string;
  /** Answers a request that only asks whether this address takes events. */
  readonly handshake?: (request: HandshakeRequest) => HandshakeAnswer | undefined;
  /** The status that says "send again" to it, where 429 does not. */
  readonly busy?: 503;
  /** The only status that it takes for success. */
  readonly status?: 200;
  /** Whether such a query of a GET is an event: who opens or previews the address sends none. */
  readonly isOfQuery?: (query: URLSearchParams) => boolean;
  readonly forms: readonly (Form | CodedForm)[];
  /**
   * Reads whole requests instead of `forms`, which then are for recognising and for mappings.
   * `isTitled: false`: nothing in it is in the tool's own form. `isOfAddress`: the address says it
   * all, so that no mapping changes it.
   */
  readonly read?: (
    request: HttpRequest,
    about: About,
  ) => Reading & { readonly isTitled?: boolean; readonly isOfAddress?: true };
  readonly testRequest?: (test: TestAlert) => TestRequest;
};
