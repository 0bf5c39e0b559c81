import type { Context } from "fresh";
import { Head } from "fresh/runtime";
import { ActionButton } from "@/components/admin/ActionButton.tsx";
import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { PossibleLink } from "@/components/admin/PossibleLink.tsx";
import { useFormState, useRefusedForm } from "@/components/admin/form_state.ts";
import { Link } from "@/components/Link.tsx";
import BulkProgress from "@/islands/admin/bulk_actions/BulkProgress.tsx";
import { listChangedUsers } from "@/lib/chat/register/bulk_actions/audit_bulk_action.ts";
import {
  type BulkActionRecord,
  type BulkChange,
  createBulkAction,
  readBulkAction,
  startBulkAction,
  stopBulkAction,
} from "@/lib/chat/register/bulk_actions/bulk_actions.ts";
import { readChannelList } from "@/lib/chat/channels/store.ts";
import { readDirectory, readUser } from "@/lib/chat/organization/users/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { State } from "@/lib/services/services.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import { type AdminRequest, adminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { form } from "@/lib/admin/declare/form.tsx";
import { Table } from "@/lib/admin/declare/list.tsx";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { usersPage } from "../users/users.tsx";
import { ImportDraft, importForms, ImportResult, loadImport } from "./import_result.tsx";

const texts = {
  finished: { one: "{count} user processed.", other: "{count} users processed." },
  reactivate: { one: "Reactivate {count} user", other: "Reactivate all {count} users" },
  failedTitle: { one: "{count} user was not changed", other: "{count} users were not changed" },
};

type BulkActionData = NonNullable<Awaited<ReturnType<typeof loadBulkAction>>>;

async function loadBulkAction(request: AdminRequest) {
  const { chat, realm, user } = request;
  const action = await readBulkAction(chat, realm.id, pathId(request));
  if (action === null) return null;
  const [name, actor, imported, deactivated] = await Promise.all([
    nameBulkAction(request, action.change),
    readUser(chat, realm.id, action.acting_user_id),
    loadImport(request, action),
    listDeactivated(request, action),
  ]);
  return {
    ...{ ...action, name, imported },
    deactivated: deactivated.length,
    actor: actor?.full_name ?? "",
    isOwn: action.acting_user_id === user.id,
  };
}

/** Returns the name of a change with its role, group or channel. */
export async function nameBulkAction(request: AdminRequest, change: BulkChange): Promise<string> {
  const { titles, subject } = request.messages.bulkActions;
  const name = await nameSubject(request, change);
  return name === null ? titles[change.kind] : request.t(subject, { title: titles[change.kind], name });
}

/** Returns the name of the role, group or channel of a change; null without one. */
export async function nameSubject(request: AdminRequest, change: BulkChange): Promise<string | null> {
  const { chat, realm, messages } = request;
  switch (change.kind) {
    case "set_role":
      return messages.shell.roles[change.role];
    case "add_to_group":
      return (await request.readPermissions()).groups.get(change.group_id)?.name ?? null;
    case "subscribe":
    case "unsubscribe": {
      const channel = (await readChannelList(chat, realm.id)).byId.get(change.channel_id);
      return channel === undefined ? null : `#${channel.name}`;
    }
    default:
      return null;
  }
}

const start = form({
  action: "start",
  run: async (request) => {
    await startBulkAction(request.chat, request.caller, pathId(request));
    return { flash: request.t("Bulk action started.") };
  },
});

const stop = form({
  action: "stop",
  run: async (request) => {
    await stopBulkAction(request.chat, request.caller, pathId(request));
    return { flash: request.t("Bulk action stopped.") };
  },
});

/** Lists the ids of the users whom an action that ended has deactivated, and who still are. */
async function listDeactivated(
  { chat, realm }: AdminRequest,
  action: BulkActionRecord,
): Promise<readonly number[]> {
  if (action.change.kind !== "deactivate" || action.state === "running") return [];
  const { byId } = await readDirectory(chat, realm.id);
  return (await listChangedUsers(chat, realm.id, action)).filter((id) => byId.get(id)?.is_active === false);
}

/** Reactivates the users whom the page's action has deactivated, as another bulk action. */
const reactivate = form({
  action: "reactivate",
  run: async (request) => {
    const { chat, realm, caller, t } = request;
    const action = await readBulkAction(chat, realm.id, pathId(request));
    const items = action === null ? [] : await listDeactivated(request, action);
    if (items.length === 0) {
      throw new FormRefusal({ form: t("None of these users is deactivated anymore.") });
    }
    const { id } = await createBulkAction(chat, caller, { change: { kind: "reactivate" }, items });
    return { flash: t("Bulk action started."), to: `/admin/bulk-actions/${id}` };
  },
});

/** Renders a bulk action: the preview of a draft, or the progress and the refused accounts. */
export const bulkActionPage = adminPage({
  path: "/admin/bulk-actions/[id]",
  load: loadBulkAction,
  title: ({ name }) => name,
  lede: ({ state, actor, created_at }, t, _, { moment }) => (
    <span data-time>
      {t(state === "draft" ? "Prepared by {name} on {date}." : "Started by {name} on {date}.", {
        name: actor,
        date: moment(created_at),
      })}
    </span>
  ),
  above: (_, t) => [usersPage, { path: "/admin/bulk-actions", name: t("Bulk actions") }],
  forms: [start, stop, reactivate, ...importForms],
  view: ({ data }) => (
    <>
      {data.state === "draft"
        ? <ImportDraft data={data.imported} total={data.total} isOwn={data.isOwn} />
        : <Progress data={data} />}
      {(data.deactivated > 0 || useRefusedForm()?.action === reactivate.action) && (
        <Reactivation data={data} />
      )}
      <ImportResult data={data.imported} />
      {data.failed > 0 && <Failures data={data} />}
    </>
  ),
});

function Progress({ data: { id, state, done, total } }: { data: BulkActionData }) {
  const { t, formatter } = useAdmin();
  const problem = useFormState(stop).problem("form");
  const isRunning = state === "running";
  return (
    <section class="mb-9 grid max-w-[40rem] gap-3">
      {problem !== undefined && <p role="alert" class="text-accent">{problem}</p>}
      {isRunning && (
        <>
          <Head>
            <noscript>
              <meta http-equiv="refresh" content="3" />
            </noscript>
          </Head>
          <BulkProgress
            path={`/admin/bulk-actions/${id}/progress`}
            done={done}
            total={total}
            label={t("Progress")}
            language={formatter.language}
            text={t("{done} of {total} users processed. You can close this page.")}
          />
        </>
      )}
      {!isRunning && (
        <p role="status">
          {state === "finished"
            ? t(texts.finished, { count: done })
            : t("Stopped after {done} of {total} users. The others stay as they were.", { done, total })}
        </p>
      )}
      <p class="flex flex-wrap gap-x-6">
        {isRunning
          ? <ActionButton action={stop.action} fields={{}}>{t("Stop")}</ActionButton>
          : (
            <Link class="link inline-flex min-h-8 items-center" href={usersPage.path}>
              {t("Back to users")}
            </Link>
          )}
      </p>
    </section>
  );
}

function Reactivation({ data: { deactivated: count } }: { data: BulkActionData }) {
  const { t } = useAdmin();
  return (
    <section class="mb-9 grid max-w-[58ch] gap-3">
      <p>{t("Bots that were deactivated with their owners stay deactivated.")}</p>
      <AdminForm
        state={useFormState(reactivate)}
        button={t(texts.reactivate, { count })}
        look={QUIET_BUTTON}
      />
    </section>
  );
}

function Failures({ data: { failures, failed } }: { data: BulkActionData }) {
  const { t } = useAdmin();
  const title = t(texts.failedTitle, { count: failed });
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

/**
 * Answers the progress of a bulk action as JSON.
 * @throws AppError NOT_FOUND.
 */
export async function readBulkActionProgress(ctx: Context<State>): Promise<Response> {
  const request = adminRequest(ctx);
  const { chat, realm, messages } = request;
  const action = await readBulkAction(chat, realm.id, pathId(request));
  if (action === null) throw new AppError("NOT_FOUND", messages.common.gone);
  const { state, done, total } = action;
  return Response.json({ state, done, total }, { headers: { "cache-control": "no-store" } });
}
