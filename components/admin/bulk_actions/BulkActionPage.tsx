import { Head } from "fresh/runtime";
import BulkProgress from "@/islands/admin/bulk_actions/BulkProgress.tsx";
import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { BulkActionData } from "@/lib/admin/bulk_actions/bulk_action_page.ts";
import { ActionButton } from "../ActionButton.tsx";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { AdminHeading } from "../AdminHeading.tsx";
import { DataTable } from "../DataTable.tsx";
import { formState } from "../form_state.ts";
import { Link } from "../../Link.tsx";

/** Renders a bulk action: the preview of a draft, or the progress and the refused accounts. */
export function BulkActionPage({ data, refused }: AdminPageData<BulkActionData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.bulkActions;
  const name = text.titles[data.kind];
  const title = data.subject === null ? name : formatter.t(text.subject, { title: name, name: data.subject });
  const by = formatter.t(data.state === "draft" ? text.draftBy : text.by, {
    name: data.actor,
    date: formatter.moment(data.createdAt),
  });
  return (
    <>
      <AdminHeading
        title={title}
        above={[
          { path: "/admin/users", name: messages.users.title },
          { path: "/admin/bulk-actions", name: text.listTitle },
        ]}
        lede={by}
      />
      {data.state === "draft"
        ? <Draft data={data} refused={refused} />
        : <Progress data={data} refused={refused} />}
      {(data.needingLinks > 0 || refused?.action === "sign_in_links") && (
        <SignInLinks data={data} refused={refused} />
      )}
      {data.failed > 0 && <Failures data={data} />}
    </>
  );
}

function Progress({ data, refused }: AdminPageData<BulkActionData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.bulkActions;
  const { state, done, total } = data;
  const isRunning = state === "running";
  const problem = formState(refused, "stop").problem("form");
  return (
    <section class="mb-9 grid max-w-[40rem] gap-3">
      {problem !== undefined && <p role="alert" class="text-accent">{problem}</p>}
      {isRunning ? <RunningProgress data={data} /> : (
        <p role="status">
          {state === "finished"
            ? formatter.t(text.states.finished, { count: done })
            : formatter.t(text.states.stopped, { done, total })}
        </p>
      )}
      <p class="flex flex-wrap gap-x-6">
        {isRunning && <ActionButton action="stop" fields={{}}>{text.stop}</ActionButton>}
        {!isRunning && (
          <Link class="link inline-flex min-h-8 items-center" href="/admin/users">{text.backToUsers}</Link>
        )}
      </p>
    </section>
  );
}

/** Renders the progress of a running action, which reloads itself without a script too. */
function RunningProgress({ data: { id, done, total } }: { data: BulkActionData }) {
  const { messages, formatter } = useAdmin();
  const text = messages.bulkActions;
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
        label={text.progress}
        language={formatter.language}
        text={text.states.running}
      />
    </>
  );
}

/** Renders the form that makes sign-in links for imported users and downloads them. */
function SignInLinks({ data: { needingLinks: count }, refused }: AdminPageData<BulkActionData>) {
  const { messages: { bulkActions: text }, formatter } = useAdmin();
  return (
    <section class="mb-9 grid max-w-[58ch] gap-3">
      <p>{formatter.t(text.linksNeeded, { count })} {text.linksText}</p>
      <AdminForm state={formState(refused, "sign_in_links")} button={text.downloadLinks} />
    </section>
  );
}

function Failures({ data: { failures, failed } }: { data: BulkActionData }) {
  const { messages, formatter } = useAdmin();
  const text = messages.bulkActions;
  return (
    <section aria-labelledby="failures">
      <h2 id="failures" class="mb-2">{formatter.t(text.failedTitle, { count: failed })}</h2>
      <DataTable
        caption={formatter.t(text.failedTitle, { count: failed })}
        columns={[{ title: text.account }, { title: text.reason }]}
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
        <p class="mt-3 text-small text-soft">{formatter.t(text.failedMore, { count: failures.length })}</p>
      )}
    </section>
  );
}

/** Renders the preview of an import with the buttons that start and discard it. */
function Draft({ data, refused }: AdminPageData<BulkActionData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.bulkActions;
  const { preview, total, isOwn } = data;
  const more = total - preview.length;
  return (
    <section class="grid gap-4">
      <p>{text.states.draft}</p>
      <DataTable
        caption={text.selected}
        columns={[
          { title: messages.users.person },
          { title: messages.users.address },
          { title: messages.users.role, isShort: true },
        ]}
        rows={preview.map(([name, email, role]) => ({
          id: email,
          cells: [<bdi key="name">{name}</bdi>, <bdi key="email">{email}</bdi>, messages.shell.roles[role]],
        }))}
      />
      {more > 0 && <p class="text-small text-soft">{formatter.t(text.more, { count: more })}</p>}
      <div class="flex flex-wrap items-center gap-x-6 gap-y-3">
        {isOwn && (
          <AdminForm
            state={formState(refused, "start")}
            button={formatter.t(messages.users.importButton, { count: total })}
          />
        )}
        <ActionButton action="stop" fields={{}}>{text.discard}</ActionButton>
      </div>
    </section>
  );
}
