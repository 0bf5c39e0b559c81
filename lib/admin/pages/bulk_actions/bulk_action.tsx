import { BULK_ACTION_TITLES, ROLE_TITLES } from "@/lib/ui/texts.ts";
import BulkProgress from "@/islands/admin/bulk_actions/BulkProgress.tsx";
import type { Context } from "fresh";
import { Head } from "fresh/runtime";
import { ActionButton } from "@/components/admin/ActionButton.tsx";
import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { FormProblem } from "@/components/admin/FormProblem.tsx";
import { useFormState } from "@/components/admin/form_state.ts";
import { Link } from "@/components/Link.tsx";
import {
  type BulkChange,
  readImported,
  startBulkAction,
  stopBulkAction,
} from "@/lib/chat/register/bulk_actions/bulk_actions.ts";
import { readChannelList } from "@/lib/chat/channels/store.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import type { State } from "@/lib/services/services.ts";
import { type AdminRequest, adminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { form } from "@/lib/admin/declare/form.tsx";
import { Table } from "@/components/admin/Table.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { usersPage } from "../users/users.tsx";
import { BulkResult, getAction, loadResult, resultForms } from "./bulk_result.tsx";

const texts = {
  create: { one: "Create {count} user", other: "Create {count} users" },
  more: { one: "and {count} other", other: "and {count} others" },
  finished: { one: "{count} user processed.", other: "{count} users processed." },
};

/** Number of users of a draft that the page shows. */
const MAX_PREVIEWED = 20;

type BulkActionData = Awaited<ReturnType<typeof loadBulkAction>>;

async function loadBulkAction(request: AdminRequest) {
  const { chat, realm } = request;
  const action = await getAction(request);
  const { id, state, change, acting_user_id } = action;
  const [name, actor, result, preview] = await Promise.all([
    nameBulkAction(request, change),
    readUser(chat, realm.id, acting_user_id),
    loadResult(request, action),
    state === "draft" ? readImported(chat, realm.id, { id, count: MAX_PREVIEWED }) : [],
  ]);
  return { ...action, ...result, name, preview, actor: actor?.full_name ?? "" };
}

/** Returns the name of a change with its role, group or channel. */
export async function nameBulkAction(request: AdminRequest, change: BulkChange): Promise<string> {
  const name = await nameSubject(request, change);
  const title = request.t(BULK_ACTION_TITLES[change.kind]);
  return name === null ? title : request.t("{title}: {name}", { title, name });
}

/** Returns the name of the role, group or channel of a change; null without one. */
export async function nameSubject(request: AdminRequest, change: BulkChange): Promise<string | null> {
  const { chat, realm, t } = request;
  switch (change.kind) {
    case "set_role":
      return t(ROLE_TITLES[change.role]);
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

/** Declares a form that acts on the action in the path. */
function actionForm(action: string, act: typeof startBulkAction, done: string) {
  return form({
    action,
    run: async (request) => {
      await act(request.chat, request.caller, pathId(request));
      return { flash: request.t(done) };
    },
  });
}

const start = actionForm("start", startBulkAction, "Bulk action started.");
const stop = actionForm("stop", stopBulkAction, "Bulk action stopped.");

/** Renders a bulk action: the preview of a draft, or the progress and the refused accounts. */
export const bulkActionPage = adminPage({
  path: "/admin/bulk-actions/[id]",
  load: loadBulkAction,
  title: ({ name }) => name,
  lede: ({ state, actor: name, created_at }, t, { moment }) => (
    <span data-time>
      {t(state === "draft" ? "Prepared by {name} on {date}." : "Started by {name} on {date}.", {
        name,
        date: moment(created_at),
      })}
    </span>
  ),
  above: (_, t) => [usersPage, { path: "/admin/bulk-actions", name: t("Bulk actions") }],
  forms: [start, stop, ...resultForms],
  view: ({ data }) => (
    <>
      {data.state === "draft" ? <Draft data={data} /> : <Progress data={data} />}
      <BulkResult data={data} />
    </>
  ),
});

function Draft({ data: { preview, total, acting_user_id } }: { data: BulkActionData }) {
  const { text, t, user } = useTexts(texts);
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
          { title: t("Role"), isShort: true, cell: ([, , role]) => t(ROLE_TITLES[role]) },
        ]}
      />
      {more > 0 && <p class="text-small text-soft">{t(text.more, { count: more })}</p>}
      <div class="flex flex-wrap items-center gap-x-6 gap-y-3">
        {acting_user_id === user.id && (
          <AdminForm state={useFormState(start)} button={t(text.create, { count: total })} />
        )}
        <ActionButton action={stop.action}>{t("Discard")}</ActionButton>
      </div>
    </section>
  );
}

function Progress({ data: { id, state, done, total } }: { data: BulkActionData }) {
  const { text, t, formatter } = useTexts(texts);
  const isRunning = state === "running";
  return (
    <section class="mb-9 grid max-w-[40rem] gap-3">
      <FormProblem problem={useFormState(stop).problem("form")} />
      {isRunning && (
        <Head>
          <noscript>
            <meta http-equiv="refresh" content="3" />
          </noscript>
        </Head>
      )}
      {isRunning
        ? (
          <BulkProgress
            path={`/admin/bulk-actions/${id}/progress`}
            done={done}
            total={total}
            label={t("Progress")}
            language={formatter.language}
            text={t("{done} of {total} users processed. You can close this page.")}
          />
        )
        : (
          <p role="status">
            {state === "finished"
              ? t(text.finished, { count: done })
              : t("Stopped after {done} of {total} users. The others stay as they were.", { done, total })}
          </p>
        )}
      <p class="flex flex-wrap gap-x-6">
        {isRunning
          ? <ActionButton action={stop.action}>{t("Stop")}</ActionButton>
          : (
            <Link class="link inline-flex min-h-8 items-center" href={usersPage.path}>
              {t("Back to users")}
            </Link>
          )}
      </p>
    </section>
  );
}

/**
 * Answers the progress of a bulk action as JSON.
 * @throws AppError NOT_FOUND.
 */
export async function readBulkActionProgress(ctx: Context<State>): Promise<Response> {
  const { state, done, total } = await getAction(adminRequest(ctx));
  return Response.json({ state, done, total }, { headers: { "cache-control": "no-store" } });
}
