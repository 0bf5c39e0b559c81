import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { PlaygroundsData } from "@/lib/admin/playgrounds/playgrounds_page.ts";
import type { PlaygroundRecord } from "@/lib/chat/playgrounds.ts";
import { ActionLabel, ActionLink } from "../ActionButton.tsx";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { AdminHeading } from "../AdminHeading.tsx";
import { ConfirmPage } from "../ConfirmPage.tsx";
import { DataTable } from "../DataTable.tsx";
import { EmptyState } from "../EmptyState.tsx";
import { TextInput } from "../fields.tsx";
import { formState } from "../form_state.ts";
import { Panel } from "../Panel.tsx";

const LIST = "/admin/playgrounds";

/** Renders the list of code playgrounds, with a form that adds one. */
export function PlaygroundsPage({ data, refused }: AdminPageData<PlaygroundsData>) {
  const { playgrounds: text } = useAdmin().messages;
  return (
    <>
      <AdminHeading title={text.title} lede={text.lede} />
      {data.isFull
        ? <p class="mb-6 text-small text-soft">{text.full}</p>
        : <NewPlayground data={data} refused={refused} />}
      <section aria-labelledby="list-title">
        <h2 id="list-title" class="mb-2">{text.listTitle}</h2>
        {data.playgrounds.length === 0
          ? <EmptyState title={text.empty}>{text.emptyAdvice}</EmptyState>
          : <PlaygroundTable playgrounds={data.playgrounds} />}
      </section>
    </>
  );
}

function NewPlayground({ data, refused }: AdminPageData<PlaygroundsData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.playgrounds;
  const state = formState(refused, "create");
  return (
    <Panel title={text.newTitle}>
      <AdminForm state={state} button={text.create}>
        <div class="grid gap-4 min-[48rem]:grid-cols-2">
          <TextInput
            state={state}
            name="name"
            label={messages.common.name}
            hint={formatter.t(text.nameHint, { count: data.nameLimit })}
          />
          <TextInput
            state={state}
            name="pygments_language"
            label={text.language}
            hint={text.languageHint}
          />
        </div>
        <TextInput
          state={state}
          name="url_template"
          label={text.urlTemplate}
          hint={text.urlTemplateHint}
          isMono
        />
      </AdminForm>
    </Panel>
  );
}

function PlaygroundTable({ playgrounds }: { playgrounds: readonly PlaygroundRecord[] }) {
  const { messages } = useAdmin();
  const text = messages.playgrounds;
  const columns = [
    { title: text.playground },
    { title: text.language },
    { title: messages.common.actions, isAtEnd: true, isClear: true, isWide: true },
  ];
  const rows = playgrounds.map((playground) => ({
    id: String(playground.id),
    cells: [
      <Playground key="playground" playground={playground} />,
      <bdi key="language">{playground.pygments_language}</bdi>,
      <ActionLabel key="actions">
        <ActionLink href={`${LIST}/${playground.id}/delete`} about={playground.name}>
          {messages.common.delete}
        </ActionLink>
      </ActionLabel>,
    ],
  }));
  return <DataTable caption={text.listTitle} columns={columns} rows={rows} />;
}

function Playground({ playground: { name, url_template } }: { playground: PlaygroundRecord }) {
  return (
    <div class="grid min-w-0 gap-0.5">
      <bdi class="font-strong break-words">{name}</bdi>
      <bdi class="font-mono text-small break-all text-soft [font-variant-ligatures:none]">{url_template}</bdi>
    </div>
  );
}

/** Renders the page that confirms deleting a code playground. */
export function DeletePlaygroundPage({ data, refused }: AdminPageData<PlaygroundRecord>) {
  const { messages } = useAdmin();
  const text = messages.playgrounds;
  return (
    <ConfirmPage
      title={text.deleteTitle}
      above={[{ path: LIST, name: text.title }]}
      action="delete"
      button={text.deleteButton}
      refused={refused}
    >
      <div class="mb-2 border-s-2 border-rule ps-3">
        <Playground playground={data} />
        <bdi class="text-small text-soft">{data.pygments_language}</bdi>
      </div>
      <p>{text.deleteText}</p>
      <p>{messages.common.cannotUndo}</p>
    </ConfirmPage>
  );
}
