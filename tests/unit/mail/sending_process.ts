/** A process that enqueues a mail and sends it: `sending_process.ts STORE SMTP_URL TIME`. */
import { openSottoStore } from "@/lib/services/sotto_store.ts";
import { transact } from "@/lib/store/transact.ts";
import { createMailer } from "@/lib/mail/mailer.ts";
import { enqueueMail } from "@/lib/mail/queue.ts";
import { createMailTransport } from "@/lib/mail/transport.ts";
import { composeInvitation, createTestLog, FROM } from "@/tests/casts/mail_cast.ts";

const [location = "", smtpUrl = "", time = ""] = Deno.args;
const clock = { now: () => Number(time), monotonic: () => Number(time) };
const store = await openSottoStore(location);
const transport = createMailTransport({ smtpUrl, mailDir: "" });
const mailer = createMailer({ store, transport, clock, from: FROM, log: createTestLog() });
const mail = composeInvitation("noor@example.com");
await transact(store, (tx) => Promise.resolve(enqueueMail(tx, mail, clock.now())));
mailer.start();
