import { realmUrl } from "@/lib/chat/realm/realm.ts";
import { transact } from "@/lib/kv/transact.ts";
import { composeMail } from "@/lib/mail/mail.ts";
import { enqueueMail } from "@/lib/mail/queue.ts";
import type { Done } from "./admin_page.ts";
import type { AdminRequest } from "./admin_request.ts";

/** Mails are counted up to this many. */
export const MOST_COUNTED = 100;

/** How many mails were given up and are still kept, which is 30 days; counted up to MOST_COUNTED. */
export async function countGivenUpMail({ chat }: AdminRequest): Promise<number> {
  const listing = chat.store.kv.list({ prefix: ["mail_failed"] }, {
    limit: MOST_COUNTED,
    batchSize: MOST_COUNTED,
  });
  let count = 0;
  for await (const _ of listing) count++;
  return count;
}

/** Puts a mail to whoever asks into the queue, as every other mail is. */
export async function sendTestMail(request: AdminRequest): Promise<Done> {
  const { chat, realm, user, services, speech, words } = request;
  const text = words.organization;
  const values = { organization: realm.name, name: user.full_name, url: realmUrl(chat, realm) };
  const mail = composeMail({
    to: { name: user.full_name, address: user.delivery_email },
    subject: speech.say(text.testSubject, values),
    greeting: speech.say(text.testGreeting, values),
    paragraphs: [speech.say(text.testText, values)],
    footer: speech.say(text.testFooter, values),
  });
  const now = chat.clock.now();
  await transact(chat.store, (tx) => Promise.resolve(enqueueMail(tx, mail, now)));
  chat.wakeMailer();
  const said = services.config.smtpUrl === null ? text.testQueuedFiles : text.testQueuedSmtp;
  return {
    said: speech.say(said, { address: user.delivery_email }),
    to: "/admin/organization/status#mail",
  };
}
