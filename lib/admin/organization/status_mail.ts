import { realmUrl } from "@/lib/chat/organization/organizations/model.ts";
import { composeMail, recordTestMail, toMailName } from "@/lib/mail/mail.ts";
import { getMailFolder } from "@/lib/mail/transport.ts";

import { type Done, FormRefusal } from "../admin_page.ts";
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

/**
 * Sends a test email to the caller and stores the outcome; redirects to `to`.
 * @throws FormRefusal if the mail server does not accept it, AppError RATE_LIMIT_HIT for too many.
 */
export async function sendTestMail(request: AdminRequest, to: string): Promise<Done> {
  const { chat, realm, user, services, t } = request;
  await services.limiter?.consume("test_mail", String(realm.id));
  const values = { organization: realm.name, name: toMailName(user.full_name), url: realmUrl(chat, realm) };
  const failure = await services.mailer.sendNow(composeMail({
    to: { name: user.full_name, address: user.delivery_email },
    subject: t("Test email from {organization}", values),
    greeting: t("Hello {name},", values),
    paragraphs: [
      t("You requested this email on the status page of {organization}. Email delivery works.", values),
    ],
    footer: t("Sent by {organization}, {url}", values),
  }));
  const isSmtp = services.config.isMailDelivered;
  if (isSmtp) await recordTestMail(chat.store, realm.id, { sent_at: chat.clock.now(), failure });
  if (failure !== null) {
    throw new FormRefusal({
      form: t("The mail server did not accept the test email ({reason}). Check SMTP_URL and MAIL_FROM.", {
        reason: failure,
      }),
    });
  }
  const folder = getMailFolder(services.config) ?? "";
  const flash = isSmtp
    ? "Test email sent to {address}."
    : "Test email to {address} written to a file in {folder}.";
  return { flash: t(flash, { address: user.delivery_email, folder }), to };
}
