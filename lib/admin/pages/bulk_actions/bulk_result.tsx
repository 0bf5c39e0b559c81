import { GONE } from "@/lib/ui/texts.ts";
import { ActionButton } from "@/components/admin/ActionButton.tsx";
import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { PossibleLink } from "@/components/admin/PossibleLink.tsx";
import { useFormState, useRefusedForm } from "@/components/admin/form_state.ts";
import { createFirstSignInLinks, needsLink } from "@/lib/chat/people/auth/reset_password.ts";
import { listChangedUsers } from "@/lib/chat/register/bulk_actions/audit_bulk_action.ts";
import {
  type BulkActionRecord,
  createBulkAction,
  readBulkAction,
  readImported,
  readRefused,
} from "@/lib/chat/register/bulk_actions/bulk_actions.ts";
import { canManageUser, canSeeEmail, foldEmail } from "@/lib/chat/organization/users/model.ts";
import { listUsers, readDirectory } from "@/lib/chat/organization/users/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { toCsvDownload } from "@/lib/admin/csv.ts";
import { form } from "@/lib/admin/declare/form.tsx";
import { Table } from "@/components/admin/Table.tsx";
import { useTexts } from "@/lib/admin/declare/page.tsx";
import { ROLE_NAMES } from "../users/users_list.ts";

const texts = {
  reactivate: { one: "Reactivate {count} user", other: "Reactivate all {count} users" },
  linksNeeded: {
    one: "{count} imported user has no password yet.",
    other: "{count} imported users have no password yet.",
  },
  links:
    "With their sign-in links, they choose a password and are signed in. Each link works once, within an hour of the download, and replaces an older one. Pass them on privately.",
  refusedTitle: { one: "{count} row is left out", other: "{count} rows are left out" },
  failedTitle: { one: "{count} user was not changed", other: "{count} users were not changed" },
};

/** Number of rows of a file that the page shows. */
const MAX_REFUSED = 50;

/** Loads what the page shows of an action besides its record. */
export async function loadResult(request: AdminRequest, action: BulkActionRecord) {
  const { id, refused = 0 } = action;
  const [refusedRows, needingLinks, deactivated] = await Promise.all([
    readRefused(request.chat, request.realm.id, { id, count: Math.min(refused, MAX_REFUSED) }),
    listNeedingLinks(request, action),
    listDeactivated(request, action),
  ]);
  return { refusedRows, needingLinks: needingLinks.length, deactivated: deactivated.length };
}

/**
 * Returns the action in the path.
 * @throws AppError NOT_FOUND.
 */
export async function getAction(request: AdminRequest): Promise<BulkActionRecord> {
  const action = await readBulkAction(request.chat, request.realm.id, pathId(request));
  if (action === null) throw new AppError("NOT_FOUND", request.t(GONE));
  return action;
}

/** Lists the ids of the users whom an action that ended has deactivated, and who still are. */
async function listDeactivated({ chat, realm }: AdminRequest, action: BulkActionRecord) {
  if (action.change.kind !== "deactivate" || action.state === "running") return [];
  const { byId } = await readDirectory(chat, realm.id);
  return (await listChangedUsers(chat, realm.id, action)).filter((id) => byId.get(id)?.is_active === false);
}

/** Reactivates the users whom the page's action has deactivated, as another bulk action. */
const reactivate = form({
  action: "reactivate",
  run: async (request) => {
    const { chat, caller, t } = request;
    const items = await listDeactivated(request, await getAction(request));
    if (items.length === 0) {
      throw new FormRefusal({ form: t("None of these users is deactivated anymore.") });
    }
    const { id } = await createBulkAction(chat, caller, { change: { kind: "reactivate" }, items });
    return { flash: t("Bulk action started."), to: `/admin/bulk-actions/${id}` };
  },
});

/** Lists the users of an import that ended who have no password, and whom the caller may manage. */
async function listNeedingLinks(
  { chat, realm, user: viewer }: AdminRequest,
  { id, change, state, done: count }: BulkActionRecord,
) {
  if (change.kind !== "import" || state === "draft" || state === "running") return [];
  const users = await readImported(chat, realm.id, { id, count });
  const imported = new Set(users.map(([, email]) => foldEmail(email)));
  return (await listUsers(chat, realm.id)).filter((user) =>
    imported.has(foldEmail(user.delivery_email)) && needsLink(user) && canManageUser(viewer, user)
  );
}

/** Makes a sign-in link for each imported user without a password, and returns them as a CSV file. */
const downloadLinks = form({
  action: "sign_in_links",
  run: async (request) => {
    const { chat, user: viewer, caller, t } = request;
    const action = await getAction(request);
    const users = await listNeedingLinks(request, action);
    if (users.length === 0) {
      throw new FormRefusal({ form: t("No imported user needs a sign-in link anymore.") });
    }
    const links = await createFirstSignInLinks(chat, caller, users.map(({ id }) => id));
    return toCsvDownload({
      name: `sign-in-links-${action.id}.csv`,
      columns: ["name", "email", "link", "expires"],
      rows: links.map(({ user, url, expiresAt }) => [
        user.full_name,
        canSeeEmail(viewer, user) ? user.delivery_email : "",
        url,
        new Date(expiresAt).toISOString(),
      ]),
    });
  },
});

/** Returns the rows that an import left out, and those that were refused later, as a file that can be imported. */
const downloadRefused = form({
  action: "refused",
  run: async (request) => {
    const { chat, realm } = request;
    const { id, refused: count = 0, total, failures } = await getAction(request);
    const [refused, imported] = await Promise.all([
      readRefused(chat, realm.id, { id, count }),
      readImported(chat, realm.id, { id, count: total }),
    ]);
    const reasons = new Map(failures.map(({ name, reason }) => [name, reason]));
    return toCsvDownload({
      name: `refused-users-${id}.csv`,
      columns: ["email", "full_name", "role", "reason"],
      rows: [
        ...refused.map(({ cells, reason }) => [...cells, reason]),
        ...imported.filter(([, email]) => reasons.has(email))
          .map(([name, email, role]) => [email, name, ROLE_NAMES[role], reasons.get(email) ?? ""]),
      ],
    });
  },
});

export const resultForms = [reactivate, downloadLinks, downloadRefused];

type ResultData = BulkActionRecord & Awaited<ReturnType<typeof loadResult>>;

/** Renders what can be done about the users of an action, and the rows and users that it left out. */
export function BulkResult({ data }: { data: ResultData }) {
  const { text, t } = useTexts(texts);
  const { deactivated, needingLinks, refused = 0, failed } = data;
  const refusedForm = useRefusedForm()?.action;
  return (
    <>
      {(deactivated > 0 || refusedForm === reactivate.action) && (
        <section class="mb-9 grid max-w-[58ch] gap-3">
          <p>{t("Bots that were deactivated with their owners stay deactivated.")}</p>
          <AdminForm
            state={useFormState(reactivate)}
            button={t(text.reactivate, { count: deactivated })}
            look={QUIET_BUTTON}
          />
        </section>
      )}
      {(needingLinks > 0 || refusedForm === downloadLinks.action) && (
        <section class="mb-9 grid max-w-[58ch] gap-3">
          <p>{t(text.linksNeeded, { count: needingLinks })} {text.links}</p>
          <AdminForm state={useFormState(downloadLinks)} button={t("Download sign-in links (CSV)")} />
        </section>
      )}
      {refused > 0 && <RefusedRows rows={data.refusedRows} count={refused} />}
      {failed > 0 && <Failures data={data} />}
    </>
  );
}

function RefusedRows({ rows, count }: { rows: ResultData["refusedRows"]; count: number }) {
  const { text, t } = useTexts(texts);
  const title = t(text.refusedTitle, { count });
  return (
    <section aria-labelledby="refused" class="mb-9 grid gap-3">
      <h2 id="refused">{title}</h2>
      <p>
        {t("Correct them in the file of these rows, and import it.")}{" "}
        <ActionButton action={downloadRefused.action}>
          {t("Download these rows (CSV)")}
        </ActionButton>
      </p>
      <Table
        caption={title}
        items={rows}
        columns={[
          { title: t("Row"), isShort: true, cell: ({ number }) => String(number) },
          { title: t("Reason"), cell: ({ reason }) => reason },
          { title: t("Email address"), cell: ({ cells: [email] }) => <bdi>{email}</bdi> },
        ]}
      />
      {count > rows.length && (
        <p class="text-small text-soft">{t("Only the first {count} are listed.", { count: rows.length })}</p>
      )}
    </section>
  );
}

function Failures({ data: { failures, failed } }: { data: BulkActionRecord }) {
  const { text, t } = useTexts(texts);
  const title = t(text.failedTitle, { count: failed });
  return (
    <section aria-labelledby="failures">
      <h2 id="failures" class="mb-2">{title}</h2>
      <Table
        caption={title}
        items={failures}
        columns={[
          {
            title: t("User"),
            cell: ({ user_id, name }) => (
              <PossibleLink path={user_id === null ? null : `/admin/users/${user_id}`}>
                <bdi>{name}</bdi>
              </PossibleLink>
            ),
          },
          { title: t("Reason"), cell: ({ reason }) => reason },
        ]}
      />
      {failed > failures.length && (
        <p class="mt-3 text-small text-soft">
          {t("Only the first {count} are listed.", { count: failures.length })}
        </p>
      )}
    </section>
  );
}
