import { join } from "node:path";
import { type Clock, systemClock } from "@/lib/core/clock.ts";
import { lazily } from "@/lib/core/lazily.ts";
import { requireAddress, toHeaderText } from "./header_text.ts";
import type { Mail } from "./mail.ts";
import { writeWhole } from "./write_whole.ts";

/** A way for mail to leave the server. */
export interface MailTransport {
  /**
   * Settles once the message is taken over durably, and within 90 s in any case; rejects when it is not. `from` is the
   * configured sender; `id` names the message, so that one sent twice can be told by its Message-ID.
   * @throws AppError BAD_REQUEST when the receiver's address is not one plain e-mail address.
   */
  send(mail: Mail, from: string, id?: string): Promise<void>;
}

/** Where mail goes. */
export interface MailTransportConfig {
  /** `smtp(s)://user:password@host:port`; null for files in `mailDir`. */
  readonly smtpUrl: string | null;
  /** The folder for `.eml` files; it is made when the first one is written. */
  readonly mailDir: string;
}

const CONNECT_MS = 10_000;
const GREETING_MS = 10_000;
const SILENCE_MS = 30_000;
const WHOLE_MS = 90_000;

/**
 * A transport over SMTP, with TLS from the start for `smtps` and as soon as the server offers it otherwise; or, without
 * an SMTP server, into files: one whole RFC 5322 message each, readable by the owner alone.
 */
export function createMailTransport(config: MailTransportConfig, clock: Clock = systemClock): MailTransport {
  return config.smtpUrl === null
    ? createFileTransport(config.mailDir, clock)
    : createSmtpTransport(config.smtpUrl, clock);
}

/** Loaded for the first mail: the server starts without it. */
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
      socketTimeout: SILENCE_MS,
    });
  });
  return {
    async send(mail, from, id = crypto.randomUUID()) {
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(new Error("Sending took too long")), WHOLE_MS);
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
  let written = 0;
  return {
    async send(mail, from, id = crypto.randomUUID()) {
      const time = clock.now();
      const { message } = await (await composer()).sendMail(toMessage(mail, { from, id, time }));
      if (!(message instanceof Uint8Array)) throw new TypeError("The message was not composed in memory");
      // Those of the same millisecond sort by number.
      const number = String(++written % 1_000_000).padStart(6, "0");
      const stamp = new Date(time).toISOString().replaceAll(":", "-");
      const random = crypto.randomUUID().slice(0, 8);
      await Deno.mkdir(folder, { recursive: true });
      await writeWhole(join(folder, `${stamp}-${number}-${random}.eml`), message);
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
