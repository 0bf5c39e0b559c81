import { useAdmin } from "@/components/admin/admin_view.ts";
import { Link } from "@/components/Link.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { FormProblem } from "@/components/admin/FormProblem.tsx";
import { Moment } from "@/components/admin/Moment.tsx";
import { TextInput } from "@/components/admin/fields.tsx";
import { formState } from "@/components/admin/form_state.ts";
import { readLinkifierSet } from "@/lib/chat/messages/linkifiers/store.ts";
import { type LinkableMessage, MAX_TRIED_MESSAGES, tryLinkifier } from "@/lib/chat/messages/try_linkifier.ts";
import { readDirectory } from "@/lib/chat/organization/users/store.ts";
import { PRIMARY_BUTTON } from "@/lib/ui/class_names.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { LINKIFIERS } from "@/lib/admin/events/shown_events.ts";
import { findProblems, MATCHES, toFormValues, toLinkifierFields } from "./linkifier_preview.ts";
import { LinkedText } from "./linkifier_tester.tsx";
import { linkifiersPage } from "./linkifiers.tsx";

const texts = {
  lede:
    "Shows which of the latest {count} messages in public channels this linkifier would link. Nothing is saved or changed.",
  found: { one: "{count} message with links", other: "{count} messages with links" },
  cut: "The search ended early, because many messages match or the pattern takes long.",
  searched: { one: "{count} message was searched.", other: "{count} messages were searched." },
};

/** Characters of a message that are shown around its links. */
const CONTEXT = 80;

type TrialData = Awaited<ReturnType<typeof loadTrial>>;

async function loadTrial(request: AdminRequest) {
  const { services, chat, caller, realm, user, query } = request;
  const { all } = await readLinkifierSet(chat, realm.id);
  const position = all.findIndex(({ record }) => String(record.id) === query.get("linkifier"));
  const id = all[position]?.record.id ?? null;
  const others = all.filter(({ record }) => record.id !== id);
  const fields = toLinkifierFields((name) => query.get(name) ?? "");
  const values = toFormValues(fields);
  const path = `/admin/linkifiers/${id ?? "new"}`;
  const none: Readonly<Record<string, string>> = {};
  const data = {
    id,
    values,
    problems: none,
    result: null,
    users: (await readDirectory(chat, realm.id)).byId,
    editPath: fields.pattern === ""
      ? path
      : `${path}?${new URLSearchParams({ action: "preview", ...values })}`,
  };
  if (fields.pattern === "") return data;
  // Only the fields that make links are tried.
  const tried = { ...fields, example_input: null, reverse_template: null, alternative_url_templates: [] };
  const problems = findProblems(request, tried, others.map(({ record }) => record));
  if (problems.length > 0) {
    const byField = problems.map(({ field, message }) => [field === "__all__" ? "form" : field, message]);
    return { ...data, problems: Object.fromEntries(byField) };
  }
  await services.limiter?.consume("linkifier_trial", `${realm.id} ${user.id}`);
  const trial = { fields, others, position: position < 0 ? others.length : position };
  return { ...data, result: await tryLinkifier(chat, caller, trial) };
}

/** Renders the text around the first links, without halves of surrogate pairs. */
function Excerpt({ content, links }: { content: string; links: LinkableMessage["links"] }) {
  const [first] = links;
  if (first === undefined) return null;
  const start = Math.max(0, first.start - CONTEXT);
  const end = Math.min(content.length, first.end + CONTEXT);
  const shown = links.filter((link) => link.end <= end)
    .map((link) => ({ ...link, start: link.start - start, end: link.end - start, linkifier: null }));
  return (
    <>
      {start > 0 && "…"}
      <LinkedText text={content.slice(start, end).toWellFormed()} links={shown} />
      {end < content.length && "…"}
    </>
  );
}

/** Fields that the page passes on to the editor, but does not show. */
const KEPT = ["example_input", "reverse_template", "alternative_url_templates"] as const;

/** The page that tries a linkifier, stored or not, on recent messages of public channels. */
export const linkifierTrialPage = adminPage({
  path: "/admin/linkifiers/messages",
  shows: LINKIFIERS,
  load: loadTrial,
  title: "Try on recent messages",
  lede: (_, t) => t(texts.lede, { count: MAX_TRIED_MESSAGES }),
  above: ({ id, editPath }, t) => [
    linkifiersPage,
    { path: editPath, name: t(id === null ? "Add linkifier" : "Edit linkifier") },
  ],
  view: ({ data }) => (
    <>
      <TrialForm data={data} />
      <Result data={data} />
    </>
  ),
});

function TrialForm({ data: { id, values, problems, editPath } }: { data: TrialData }) {
  const { t } = useAdmin();
  const state = { ...formState(null, "try"), problems, problem: (name: string) => problems[name] };
  return (
    <form method="get" action="/admin/linkifiers/messages" noValidate class="mb-9 grid max-w-[40rem] gap-4">
      {id !== null && <input type="hidden" name="linkifier" value={id} />}
      {KEPT.map((name) => <input key={name} type="hidden" name={name} value={values[name]} />)}
      <FormProblem problem={problems["form"]} />
      <TextInput state={state} name="pattern" label={t("Pattern")} stored={values.pattern} isMono />
      <TextInput
        state={state}
        name="url_template"
        label={t("URL template")}
        stored={values.url_template}
        isMono
      />
      <div class="flex flex-wrap items-center gap-x-5 gap-y-2">
        <button type="submit" class={PRIMARY_BUTTON}>{t("Search messages")}</button>
        <Link class="link inline-flex min-h-11 items-center" href={editPath}>{t("Back to editing")}</Link>
      </div>
    </form>
  );
}

function Result({ data: { result, users } }: { data: TrialData }) {
  const { t } = useAdmin();
  if (result === null) return null;
  const { found, searched: count, isComplete } = result;
  const searched = t(texts.searched, { count });
  if (found.length === 0) {
    return <EmptyState title={t("No recent message matches.")}>{searched}</EmptyState>;
  }
  return (
    <section aria-labelledby="trial-title">
      <h2 id="trial-title">{t(texts.found, { count: found.length })}</h2>
      <p class="mt-2 mb-4 max-w-[60ch] text-soft">
        {searched} {!isComplete && t(texts.cut)}{" "}
        {t("Matches within code are listed as well, but are not linked in messages.")}
      </p>
      <ul class="grid max-w-[46rem] gap-4">
        {found.map((one) => (
          <Message
            key={one.message.id}
            found={one}
            sender={users.get(one.message.sender_id)?.full_name ?? t("Former user")}
          />
        ))}
      </ul>
    </section>
  );
}

function Message({ found, sender }: { found: LinkableMessage; sender: string }) {
  const { t } = useAdmin();
  const { message: { topic, sent_at: time, content }, channel, links } = found;
  return (
    <li class="grid min-w-0 gap-1 border-t border-rule pt-3">
      <p class="text-small break-words text-soft">
        <Link class="link" href={`/admin/channels/${channel.id}`}>
          <bdi>#{channel.name}</bdi>
        </Link>{" "}
        {topic !== "" && (
          <>
            · <bdi>{topic}</bdi>
          </>
        )} · <bdi>{sender}</bdi> · <Moment time={time} />
      </p>
      <p dir="auto" class="break-words whitespace-pre-wrap">
        <Excerpt content={content} links={links} />
      </p>
      {links.length > 1 && <p class="text-small text-soft">{t(MATCHES, { count: links.length })}</p>}
    </li>
  );
}
