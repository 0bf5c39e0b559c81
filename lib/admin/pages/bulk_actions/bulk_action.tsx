import type { Context } from "fresh";
import { Head } from "fresh/runtime";
import { ActionButton } from "@/components/admin/ActionButton.tsx";
import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { DataTable } from "@/components/admin/DataTable.tsx";
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
import { channelKeys, type ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import { readDirectory, readUser } from "@/lib/chat/organization/users/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { State } from "@/lib/services/services.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { type Done, FormRefusal } from "@/lib/admin/admin_page.ts";
import { type AdminRequest, adminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { usersPage } from "../users/users.tsx";
import { ImportDraft, importForms, ImportResult, loadImport } from "./import_result.tsx";

const texts = {
  states: {
    finished: { one: "{count} user processed.", other: "{count} users processed." },
  },
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
  const { id, state, total, done, failed, failures } = action;
  return {
    ...{ id, name, state, total, done, failed, failures, imported },
    deactivated: deactivated.length,
    actor: actor?.full_name ?? "",
    isOwn: action.acting_user_id === user.id,
    createdAt: action.created_at,
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
      return (await request.readPermissions()).groups.get(change.group_id)
        ?.name ?? null;
    case "subscribe":
    case "unsubscribe": {
      const key = channelKeys.channel(realm.id, change.channel_id);
      const channel = await chat.reads.read<ChannelRecord>(key);
      return channel === null ? null : `#${channel.name}`;
    }
    default:
      return null;
  }
}

async function start(request: AdminRequest): Promise<Done> {
  await startBulkAction(request.chat, request.caller, pathId(request));
  return { flash: request.t("Bulk action started.") };
}

async function stop(request: AdminRequest): Promise<Done> {
  await stopBulkAction(request.chat, request.caller, pathId(request));
  return { flash: request.t("Bulk action stopped.") };
}

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
async function reactivate(request: AdminRequest): Promise<Done> {
  const { chat, realm, caller, t } = request;
  const action = await readBulkAction(chat, realm.id, pathId(request));
  const items = action === null ? [] : await listDeactivated(request, action);
  if (items.length === 0) throw new FormRefusal({ form: t("None of these users is deactivated any more.") });
  const { id } = await createBulkAction(chat, caller, { change: { kind: "reactivate" }, items });
  return { flash: request.t("Bulk action started."), to: `/admin/bulk-actions/${id}` };
}

/** Renders a bulk action: the preview of a draft, or the progress and the refused accounts. */
export const bulkActionPage = adminPage({
  path: "/admin/bulk-actions/[id]",
  load: loadBulkAction,
  title: ({ name }) => name,
  lede: ({ state, actor, createdAt }, t, _, { moment }) => (
    <span data-time>
      {t(state === "draft" ? "Prepared by {name} on {date}." : "Started by {name} on {date}.", {
        name: actor,
        date: moment(createdAt),
      })}
    </span>
  ),
  above: (_, t) => [usersPage, { path: "/admin/bulk-actions", name: t("Bulk actions") }],
  forms: [
    { action: "start", run: start },
    { action: "stop", run: stop },
    ...importForms,
    { action: "reactivate", run: reactivate },
  ],
  view: ({ data }) => {
    const refused = useRefusedForm();
    return (
      <>
        {data.state === "draft"
          ? <ImportDraft data={data.imported} total={data.total} isOwn={data.isOwn} />
          : <Progress data={data} />}
        {(data.deactivated > 0 || refused?.action === "reactivate") && <Reactivation data={data} />}
        <ImportResult data={data.imported} />
        {data.failed > 0 && <Failures data={data} />}
      </>
    );
  },
});

function Progress({ data }: { data: BulkActionData }) {
  const { text, t } = useTexts(texts);
  const { state, done, total } = data;
  const isRunning = state === "running";
  const problem = useFormState({ action: "stop" }).problem("form");
  return (
    <section class="mb-9 grid max-w-[40rem] gap-3">
      {problem !== undefined && <p role="alert" class="text-accent">{problem}</p>}
      {isRunning ? <RunningProgress data={data} /> : (
        <p role="status">
          {state === "finished"
            ? t(text.states.finished, { count: done })
            : t("Stopped after {done} of {total} users. The others stay as they were.", { done, total })}
        </p>
      )}
      <p class="flex flex-wrap gap-x-6">
        {isRunning && <ActionButton action="stop" fields={{}}>{t("Stop")}</ActionButton>}
        {!isRunning && (
          <Link class="link inline-flex min-h-8 items-center" href="/admin/users">{t("Back to users")}</Link>
        )}
      </p>
    </section>
  );
}

/** Renders the progress of a running action, which reloads itself without a script too. */
function RunningProgress({ data: { id, done, total } }: { data: BulkActionData }) {
  const { t, formatter } = useTexts(texts);
  return (
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
  );
}

/** Renders the form that reactivates the users who were deactivated. */
function Reactivation({ data: { deactivated: count } }: { data: BulkActionData }) {
  const { text, t } = useTexts(texts);
  return (
    <section class="mb-9 grid max-w-[58ch] gap-3">
      <p>{t("Bots that were deactivated with their owners stay deactivated.")}</p>
      <AdminForm
        state={useFormState({ action: "reactivate" })}
        button={t(text.reactivate, { count })}
        look={QUIET_BUTTON}
      />
    </section>
  );
}

function Failures({ data: { failures, failed } }: { data: BulkActionData }) {
  const { text, t } = useTexts(texts);
  return (
    <section aria-labelledby="failures">
      <h2 id="failures" class="mb-2">{t(text.failedTitle, { count: failed })}</h2>
      <DataTable
        caption={t(text.failedTitle, { count: failed })}
        columns={[{ title: t("User") }, { title: t("Reason") }]}
        rows={failures.map(({ user_id, name, reason }, at) => ({
          id: String(at),
          cells: [
            user_id === null
              ? <bdi key="name">{name}</bdi>
              : (
                <Link key="name" class="link" href={`/admin/users/${user_id}`}>
                  <bdi>{name}</bdi>
                </Link>
              ),
            reason,
          ],
        }))}
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
