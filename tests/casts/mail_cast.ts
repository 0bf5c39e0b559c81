import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import type { Clock } from "@/lib/core/clock.ts";
import { composeMail, type Mail } from "@/lib/mail/mail.ts";
import type { Store } from "@/lib/store/open.ts";
import { transact } from "@/lib/store/transact.ts";
import { createMailer, type MailLog } from "@/lib/mail/mailer.ts";
import { enqueueMail } from "@/lib/mail/queue.ts";
import { createMailTransport } from "@/lib/mail/transport.ts";

/** From of all test mails. */
export const FROM = "Sotto <noreply@sotto.example>";

/** A message as an SMTP server received it. */
export interface Received {
  /** Recipients of the envelope. */
  readonly recipients: readonly string[];
  readonly sender: string;
  readonly isEncrypted: boolean;
  readonly user: unknown;
  readonly email: Email;
  /** Header section as sent. */
  readonly head: string;
}

/** An SMTP server on loopback, closed at the end of its block. */
export interface TestSmtp extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  readonly received: Received[];
}

/** Starts a server that accepts everything that `options` do not refuse. */
export async function startSmtp(options: SMTPServerOptions = {}): Promise<TestSmtp> {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    // Without own credentials, the server would warn about its built-in certificate.
    logger: false,
    onData(stream, session, done) {
      readAll(stream).then(async (raw) => {
        received.push({
          recipients: session.envelope.rcptTo.map(({ address }) => address),
          sender: session.envelope.mailFrom === false ? "" : session.envelope.mailFrom.address,
          isEncrypted: session.secure,
          user: session.user,
          email: await PostalMime.parse(raw),
          head: new TextDecoder().decode(raw).split("\r\n\r\n")[0] ?? "",
        });
        done();
      });
    },
    ...options,
  });
  // An interrupted client is not a failure of the test.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.server.address();
  if (address === null || typeof address === "string") throw new TypeError("The server has no port");
  const { port } = address;
  return {
    port,
    url: `${options.secure ? "smtps" : "smtp"}://127.0.0.1:${port}?tls.rejectUnauthorized=false`,
    received,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function readAll(stream: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<Uint8Array> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of stream) pieces.push(piece);
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

/** Returns an error for a server to answer with: a reply code and a text. */
export function refusal(code: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode: code });
}

/** Composes an invitation with a secret link. */
export function composeInvitation(address: string, name = "Noor"): Mail {
  return composeMail({
    to: { name, address },
    subject: "Ada invites you to Acme",
    greeting: `Hello ${name},`,
    paragraphs: ["Ada Admin invites you to join Acme.", "The invitation is open for 10 days."],
    action: { label: "Accept the invitation", url: "https://sotto.example/join/s3cretk3y" },
    footer: "You can ignore this mail if you do not know Ada.",
  });
}

/** A line of a log. */
export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Creates a log that records its lines. */
export function createTestLog(): MailLog & { readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  return { lines, event: (level, message, fields = {}) => void lines.push({ level, message, fields }) };
}

/** Creates a clock that a test advances, starting at 2026-11-21T11:00:00.000Z. */
export function createTestClock(): Clock & { time: number } {
  return {
    time: Date.UTC(2026, 10, 21, 11),
    now() {
      return this.time;
    },
    monotonic() {
      return this.time;
    },
  };
}

/** A gate that stays closed until a test opens it. */
export interface Gate {
  /** Resolves when the first caller waits at the gate. */
  readonly reached: Promise<void>;
  open(): void;
  /** Resolves when the gate is open. */
  pass(): Promise<void>;
}

/** Creates a gate, to hold a server in the middle of a mail. */
export function createGate(): Gate {
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  return {
    reached: reached.promise,
    open: opened.resolve,
    pass() {
      reached.resolve();
      return opened.promise;
    },
  };
}

/** Creates a mailer for `store` with its own clock and log, and a function that enqueues mail. */
export function createTestMailer(store: Store, smtpUrl: string | null, mailDir = "/nowhere/at/all") {
  const clock = createTestClock();
  const log = createTestLog();
  const transport = createMailTransport({ smtpUrl, mailDir }, clock);
  const mailer = createMailer({ store, transport, clock, from: FROM, log });
  const enqueue = (address: string) =>
    transact(store, (tx) => Promise.resolve(enqueueMail(tx, composeInvitation(address), clock.now())));
  return { mailer, clock, log, enqueue };
}
