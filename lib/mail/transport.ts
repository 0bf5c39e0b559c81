import { basename, dirname, join } from "node:path";
import { type Clock, systemClock } from "@/lib/core/clock.ts";
import { lazily } from "@/lib/core/yield_to_event_loop.ts";
import { canWriteFiles, makePrivateFolder, restrictFolder } from "@/lib/core/private_files.ts";
import { type Mail, requireAddress, toHeaderText } from "./mail.ts";

export interface MailTransport {
  /**
   * Resolves once the message is durably accepted, else rejects; within 90 seconds either way. `from` is the
   * configured sender. `id` becomes part of the Message-ID, by which a message sent twice can be recognized.
   * @throws AppError BAD_REQUEST if the recipient's address is not one plain email address.
   */
  send(mail: Mail, from: string, id?: string): Promise<void>;
}

interface MailTransportConfig {
  /** URL as `smtp(s)://user:password@host:port`; null to write files to `mailDir`. */
  readonly smtpUrl: string | null;
  /** Folder of `.eml` files, created when the first one is written, for the server's user only. */
  readonly mailDir: string;
}

const CONNECT_MS = 10_000;
const GREETING_MS = 10_000;
const IDLE_MS = 30_000;
const TOTAL_MS = 90_000;

/**
 * Creates a transport over SMTP, with TLS from the start for `smtps` and STARTTLS if offered otherwise.
 * Without an SMTP server, each mail becomes a file with one RFC 5322 message that only its owner can read, or
 * fails where the process cannot write files.
 */
export function createMailTransport(config: MailTransportConfig, clock: Clock = systemClock): MailTransport {
  if (config.smtpUrl !== null) return createSmtpTransport(config.smtpUrl, clock);
  return canWriteFiles() ? createFileTransport(config.mailDir, clock) : createMissingTransport();
}

/** Returns the folder to which mail is written; null where it is delivered, or waits for a server. */
export function getMailFolder({ smtpUrl, mailDir }: MailTransportConfig): string | null {
  return smtpUrl === null && canWriteFiles() ? mailDir : null;
}

/** Creates a transport that fails, so that mail waits in the queue for a server. */
function createMissingTransport(): MailTransport {
  return { send: () => Promise.reject(new Error("SMTP_URL is not set, and files cannot be written")) };
}

/** Loads the mail library. Called for the first mail, to keep the start of the server fast. */
function loadMailer() {
  return import("nodemailer");
}

function createSmtpTransport(url: string, clock: Clock): MailTransport {
  const transporter = lazily(async () => {
    const { createTransport } = await loadMailer();
    return createTransport({
      url,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: GREETING_MS,
      socketTimeout: IDLE_MS,
    });
  });
  return {
    async send(mail, from, id = crypto.randomUUID()) {
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(new Error("Sending took too long")), TOTAL_MS);
      try {
        const message = { ...toMessage(mail, { from, id, time: clock.now() }), signal: limit.signal };
        await (await transporter()).sendMail(message);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function createFileTransport(folder: string, clock: Clock): MailTransport {
  const composer = lazily(async () => {
    const { createTransport } = await loadMailer();
    return createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  });
  restrictFolder(folder, (name) => /\.eml(\.tmp)?$/.test(name));
  let written = 0;
  return {
    async send(mail, from, id = crypto.randomUUID()) {
      const time = clock.now();
      const { message } = await (await composer()).sendMail(toMessage(mail, { from, id, time }));
      if (!(message instanceof Uint8Array)) throw new TypeError("The message was not composed in memory");
      // Files of the same millisecond sort by number.
      const number = String(++written % 1_000_000).padStart(6, "0");
      const stamp = new Date(time).toISOString().replaceAll(":", "-");
      const random = crypto.randomUUID().slice(0, 8);
      makePrivateFolder(folder);
      await writeFileAtomically(join(folder, `${stamp}-${number}-${random}.eml`), message);
    },
  };
}

function toMessage(mail: Mail, { from, id, time }: { from: string; id: string; time: number }) {
  const domain = /@([a-z0-9.-]+)/i.exec(from)?.[1] ?? "localhost";
  return {
    from,
    to: { name: toHeaderText(mail.to.name), address: requireAddress(mail.to.address) },
    subject: toHeaderText(mail.subject),
    text: mail.text,
    html: mail.html,
    date: new Date(time),
    messageId: `<${id}@${domain}>`,
    headers: { "Auto-Submitted": "auto-generated" },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Writes a new file atomically and syncs it to the disk. Only the owner of the process can read it. */
async function writeFileAtomically(path: string, content: Uint8Array): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.tmp`);
  try {
    await writeSynced(temporary, content);
    await Deno.rename(temporary, path);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw error;
  }
  await syncFolder(dirname(path));
}

async function writeSynced(path: string, content: Uint8Array): Promise<void> {
  using file = await Deno.open(path, { write: true, createNew: true, mode: 0o600 });
  for (let at = 0; at < content.length;) at += await file.write(content.subarray(at));
  await file.sync();
}

/**
 * Syncs a folder, which makes a new file name durable. Windows needs no such step and cannot open folders.
 */
async function syncFolder(path: string): Promise<void> {
  if (Deno.build.os === "windows") return;
  using folder = await Deno.open(path);
  await folder.sync();
}
