import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { LinkifierTrialData, ShownTrialMessage } from "@/lib/admin/linkifiers/linkifier_trial_page.ts";
import { PRIMARY_BUTTON } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminHeading } from "../AdminHeading.tsx";
import { EmptyState } from "../EmptyState.tsx";
import { TextInput } from "../fields.tsx";
import { FormProblem } from "../FormProblem.tsx";
import { formState } from "../form_state.ts";
import { LinkedText } from "./LinkifierTester.tsx";
import { Link } from "../../Link.tsx";

/** Fields that the page passes on to the editor, but does not show. */
const KEPT = ["example_input", "reverse_template", "alternative_url_templates"] as const;

/** Renders the page that tries a linkifier on recent messages: the linkifier, and the messages with its links. */
export function LinkifierTrialPage({ data }: AdminPageData<LinkifierTrialData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.linkifiers.trial;
  const editTitle = data.id === null ? messages.linkifiers.newTitle : messages.linkifiers.editTitle;
  return (
    <>
      <AdminHeading
        title={text.title}
        lede={formatter.t(text.lede, { count: data.limit })}
        above={[
          { path: "/admin/linkifiers", name: messages.linkifiers.title },
          { path: data.editPath, name: editTitle },
        ]}
      />
      <TrialForm data={data} />
      {data.result !== null && <Result result={data.result} />}
    </>
  );
}

function TrialForm({ data: { id, values, problems, editPath } }: { data: LinkifierTrialData }) {
  const { messages } = useAdmin();
  const text = messages.linkifiers;
  const state = { ...formState(null, "try"), problems, problem: (name: string) => problems[name] };
  return (
    <form method="get" action="/admin/linkifiers/messages" noValidate class="mb-9 grid max-w-[40rem] gap-4">
      {id !== null && <input type="hidden" name="linkifier" value={id} />}
      {KEPT.map((name) => <input key={name} type="hidden" name={name} value={values[name]} />)}
      <FormProblem problem={problems["form"]} />
      <TextInput state={state} name="pattern" label={text.pattern} stored={values.pattern} isMono />
      <TextInput
        state={state}
        name="url_template"
        label={text.urlTemplate}
        stored={values.url_template}
        isMono
      />
      <div class="flex flex-wrap items-center gap-x-5 gap-y-2">
        <button type="submit" class={PRIMARY_BUTTON}>{text.trial.button}</button>
        <Link class="link inline-flex min-h-11 items-center" href={editPath}>{text.trial.back}</Link>
      </div>
    </form>
  );
}

function Result({ result }: { result: NonNullable<LinkifierTrialData["result"]> }) {
  const { messages, formatter } = useAdmin();
  const text = messages.linkifiers.trial;
  if (result.messages.length === 0) {
    return (
      <EmptyState title={text.none}>{formatter.t(text.searched, { count: result.searched })}</EmptyState>
    );
  }
  return (
    <section aria-labelledby="trial-title">
      <h2 id="trial-title">{formatter.t(text.found, { count: result.messages.length })}</h2>
      <p class="mt-2 mb-4 max-w-[60ch] text-soft">
        {formatter.t(text.searched, { count: result.searched })} {!result.isComplete && text.cut} {text.code}
      </p>
      <ul class="grid max-w-[46rem] gap-4">
        {result.messages.map((message) => <TrialMessage key={message.id} message={message} />)}
      </ul>
    </section>
  );
}

function TrialMessage({ message }: { message: ShownTrialMessage }) {
  const { messages, formatter } = useAdmin();
  const { channel, topic, sender, time, pieces, count } = message;
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
        )} · <bdi>{sender}</bdi> ·{" "}
        <time dateTime={new Date(time).toISOString()}>{formatter.moment(time)}</time>
      </p>
      <p dir="auto" class="break-words whitespace-pre-wrap">
        <LinkedText pieces={pieces} />
      </p>
      {count > 1 && (
        <p class="text-small text-soft">{formatter.t(messages.linkifiers.placesFound, { count })}</p>
      )}
    </li>
  );
}
