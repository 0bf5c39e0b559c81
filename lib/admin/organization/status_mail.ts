import { realmUrl } from "@/lib/chat/organizations/model.ts";
import { transact } from "@/lib/kv/transact.ts";
import { composeMail, toMailName } from "@/lib/mail/mail.ts";
import { enqueueMail } from "@/lib/mail/queue.ts";
import type { Done } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";

/** Emails are counted up to this number. */
export const MOST_COUNTED = 100;

/** Counts undeliverable emails of the last 30 days, up to MOST_COUNTED. */
export async function countGivenUpMail({ chat }: AdminRequest): Promise<number> {
  const listing = chat.store.kv.list({ prefix: ["mail_failed"] }, {
    limit: MOST_COUNTED,
    batchSize: MOST_COUNTED,
  });
  let count = 0;
  for await (const _ of listing) count++;
  return count;
}

/** Queues a test email to the caller. */
export async function sendTestMail(request: AdminRequest): Promise<Done> {
  const { chat, realm, user, services, formatter, messages } = request;
  const text = messages.organization;
  const values = { organization: realm.name, name: toMailName(user.full_name), url: realmUrl(chat, realm) };
  const mail = composeMail({
    to: { name: user.full_name, address: user.delivery_email },
    subject: formatter.t(text.testSubject, values),
    greeting: formatter.t(text.testGreeting, values),
    paragraphs: [formatter.t(text.testText, values)],
    footer: formatter.t(text.testFooter, values),
  });
  const now = chat.clock.now();
  await transact(chat.store, (tx) => Promise.resolve(enqueueMail(tx, mail, now)));
  chat.wakeMailer();
  const flash = services.config.smtpUrl === null ? text.testQueuedFiles : text.testQueuedSmtp;
  return {
    flash: formatter.t(flash, { address: user.delivery_email }),
    to: "/admin/organization/status#mail",
  };
}
