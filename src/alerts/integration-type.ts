import type {
  About,
  AlertRequest,
  Guide,
  HandshakeAnswer,
  HandshakeRequest,
  HttpRequest,
  Reading,
  Secrets,
  TestAlert,
  TestRequest,
} from './alert.ts';
import type { Mapping } from './reading/notation.ts';

/** A kind of monitoring tool and how its requests are read. */
export type IntegrationType = {
  readonly slug: string;
  /** In the vendor's spelling. */
  readonly name: string;
  readonly description: string;
  /** What it counts as one problem: "One incident for each ...". */
  readonly problem: string;
  /** A path on the server that shows the guide. */
  readonly guide_url: string;
  readonly guide: Guide;
  /** The names of this type in other incident services. */
  readonly knownAs?: readonly string[];
  /** Its name in simple-icons, if it is there. */
  readonly logo?: string;
  /** Names of headers that it reads, in lower case: stored with the event, unless secret. */
  readonly headers?: readonly string[];
  /** How its service wraps what it sends. What that has of a signature is checked before storing. */
  readonly envelope?: 'sns';
  /** The setting of the tool that limits how many alerts of a group it sends in one message. */
  readonly groupLimit?: string;
  /** Answers a request that only asks whether this address takes events; that is not stored. */
  handshake?(request: HandshakeRequest): HandshakeAnswer | undefined;
  /** The status where there is no room, for tools that send again on nothing else. */
  readonly busy?: 503;
  /** The status of an event that was taken, for tools that count nothing else as success. */
  readonly status?: 200;
  /** Whether such a query of a GET is an event: who opens or previews the address sends none. */
  isOfQuery?(query: URLSearchParams): boolean;
  /** `mapping`: of the integration, if it has one. */
  read(request: AlertRequest, about: About, mapping?: Mapping): Reading;
  /** What is not stored of a request. */
  secretsIn?(request: HttpRequest, mapping?: Mapping): Secrets;
  /** What the tool would send of an alert with this title, for a test. */
  testRequest(test: TestAlert): TestRequest;
};
