import { ActionButton } from "@/components/admin/ActionButton.tsx";
import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { useFormState, useRefusedForm } from "@/components/admin/form_state.ts";
import { createFirstSignInLinks, needsLink } from "@/lib/chat/people/auth/reset_password.ts";
import {
  type BulkActionRecord,
  readBulkAction,
  readImported,
  readRefused,
} from "@/lib/chat/register/bulk_actions/bulk_actions.ts";
import { canSeeEmail, foldEmail, isOwner, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { listUsers } from "@/lib/chat/organization/users/store.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { toCsvDownload } from "@/lib/admin/csv.ts";
import { Table } from "@/lib/admin/declare/list.tsx";
import { useTexts } from "@/lib/admin/declare/page.tsx";
import { ROLE_NAMES } from "../users/users_list.ts";

const texts = {
  create: { one: "Create {count} user", other: "Create {count} users" },
  more: { one: "and {count} other", other: "and {count} others" },
  linksNeeded: {
    one: "{count} imported user has no password yet.",
    other: "{count} imported users have no password yet.",
  },
  linksText:
    "With their sign-in links, they choose a password and are signed in. Each link works once, within an hour of the download, and replaces an older one. Pass them on privately.",
  refusedTitle: { one: "{count} row is left out", other: "{count} rows are left out" },
};

/** Number of users of a draft, and of refused rows, that the page shows. */
const MAX_SHOWN = { users: 20, refused: 50 } as const;

type ImportData = Awaited<ReturnType<typeof loadImport>>;

/** Loads the part of a bulk action that concerns an import; it is empty for other actions. */
export async function loadImport(request: AdminRequest, action: BulkActionRecord) {
  const { chat, realm } = request;
  const { id, state, refused: refusedCount = 0 } = action;
  const count = Math.min(refusedCount, MAX_SHOWN.refused);
  const [preview, refused, needingLinks] = await Promise.all([
    state === "draft" ? readImported(chat, realm.id, { id, count: MAX_SHOWN.users }) : [],
    readRefused(chat, realm.id, { id, count }),
    listNeedingLinks(request, action),
  ]);
  return { preview, refused, refusedCount, needingLinks: needingLinks.length };
}

/** Lists the users of an import that ended who have no password, and whom the caller may manage. */
async function listNeedingLinks(
  { chat, realm, user: viewer }: AdminRequest,
  { id, change, state, done: count }: BulkActionRecord,
): Promise<readonly UserRecord[]> {
  if (change.kind !== "import" || state === "draft" || state === "running") return [];
  const imported = new Set(
    (await readImported(chat, realm.id, { id, count })).map(([, email]) => foldEmail(email)),
  );
  return (await listUsers(chat, realm.id)).filter((user) =>
    imported.has(foldEmail(user.delivery_email)) && needsLink(user) && (isOwner(viewer) || !isOwner(user))
  );
}

/** Makes a sign-in link for each imported user without a password, and returns them as a CSV file. */
async function downloadSignInLinks(request: AdminRequest): Promise<Response> {
  const { chat, realm, user: viewer, caller, t } = request;
  const id = pathId(request);
  const action = await readBulkAction(chat, realm.id, id);
  const users = action === null ? [] : await listNeedingLinks(request, action);
  if (users.length === 0) {
    throw new FormRefusal({ form: t("No imported user needs a sign-in link anymore.") });
  }
  const links = await createFirstSignInLinks(chat, caller, users.map((user) => user.id));
  const rows = links.map(({ user, url, expiresAt }) => [
    user.full_name,
    canSeeEmail(viewer, user) ? user.delivery_email : "",
    url,
    new Date(expiresAt).toISOString(),
  ]);
  return toCsvDownload({
    name: `sign-in-links-${id}.csv`,
    columns: ["name", "email", "link", "expires"],
    rows,
  });
}

/** Returns the rows that an import left out, and those that were refused later, as a file that can be imported. */
async function downloadRefused(request: AdminRequest): Promise<Response> {
  const { chat, realm, messages } = request;
  const id = pathId(request);
  const action = await readBulkAction(chat, realm.id, id);
  if (action?.change.kind !== "import") throw new FormRefusal({ form: messages.common.gone });
  const [refused, imported] = await Promise.all([
    readRefused(chat, realm.id, { id, count: action.refused ?? 0 }),
    readImported(chat, realm.id, { id, count: action.total }),
  ]);
  const reasons = new Map(action.failures.map(({ name, reason }) => [name, reason]));
  const failed = imported.filter(([, email]) => reasons.has(email));
  return toCsvDownload({
    name: `refused-users-${id}.csv`,
    columns: ["email", "full_name", "role", "reason"],
    rows: [
      ...refused.map(({ cells, reason }) => [...cells, reason]),
      ...failed.map(([name, email, role]) => [email, name, ROLE_NAMES[role], reasons.get(email) ?? ""]),
    ],
  });
}

export const importForms = [
  { action: "sign_in_links", run: downloadSignInLinks },
  { action: "refused", run: downloadRefused },
];

interface ImportDraftProps {
  readonly data: ImportData;
  readonly total: number;
  readonly isOwn: boolean;
}

export function ImportDraft({ data: { preview }, total, isOwn }: ImportDraftProps) {
  const { text, t, messages } = useTexts(texts);
  const more = total - preview.length;
  return (
    <section class="mb-9 grid gap-4">
      <p>{t("Nothing has changed yet.")}</p>
      <Table
        caption={t("Users of the file")}
        items={preview}
        keyOf={([, email]) => email}
        columns={[
          { title: t("Name"), cell: ([name]) => <bdi>{name}</bdi> },
          { title: t("Email address"), cell: ([, email]) => <bdi>{email}</bdi> },
          { title: t("Role"), isShort: true, cell: ([, , role]) => messages.shell.roles[role] },
        ]}
      />
      {more > 0 && <p class="text-small text-soft">{t(text.more, { count: more })}</p>}
      <div class="flex flex-wrap items-center gap-x-6 gap-y-3">
        {isOwn && (
          <AdminForm
            state={useFormState({ action: "start" })}
            button={t(texts.create, { count: total })}
          />
        )}
        <ActionButton action="stop" fields={{}}>{t("Discard")}</ActionButton>
      </div>
    </section>
  );
}

export function ImportResult({ data: { needingLinks, refused, refusedCount } }: { data: ImportData }) {
  const { text, t } = useTexts(texts);
  const state = useFormState({ action: "sign_in_links" });
  const title = t(text.refusedTitle, { count: refusedCount });
  return (
    <>
      {(needingLinks > 0 || useRefusedForm()?.action === "sign_in_links") && (
        <section class="mb-9 grid max-w-[58ch] gap-3">
          <p>{t(text.linksNeeded, { count: needingLinks })} {text.linksText}</p>
          <AdminForm state={state} button={t("Download sign-in links (CSV)")} />
        </section>
      )}
      {refusedCount > 0 && (
        <section aria-labelledby="refused" class="mb-9 grid gap-3">
          <h2 id="refused">{title}</h2>
          <p>
            {t("Correct them in the file of these rows, and import it.")}{" "}
            <ActionButton action="refused" fields={{}}>{t("Download these rows (CSV)")}</ActionButton>
          </p>
          <Table
            caption={title}
            items={refused}
            columns={[
              { title: t("Row"), isShort: true, cell: ({ number }) => String(number) },
              { title: t("Reason"), cell: ({ reason }) => reason },
              { title: t("Email address"), cell: ({ cells: [email] }) => <bdi>{email}</bdi> },
            ]}
          />
          {refusedCount > refused.length && (
            <p class="text-small text-soft">
              {t("Only the first {count} are listed.", { count: refused.length })}
            </p>
          )}
        </section>
      )}
    </>
  );
}
