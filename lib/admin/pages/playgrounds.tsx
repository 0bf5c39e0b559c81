import { ActionLink } from "@/components/admin/ActionButton.tsx";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { Panel } from "@/components/admin/Panel.tsx";
import {
  createPlayground,
  deletePlayground,
  isLanguage,
  MAX_LANGUAGE,
  MAX_PLAYGROUND_NAME,
  MAX_PLAYGROUND_TEMPLATE,
  playgroundList,
  type PlaygroundRecord,
} from "@/lib/chat/messages/playgrounds.ts";
import { pathId } from "../admin_request.ts";
import { confirmPage } from "../declare/confirm.tsx";
import { text } from "../declare/fields.tsx";
import { Form, form } from "../declare/form.tsx";
import { Table } from "@/components/admin/Table.tsx";
import { adminPage } from "../declare/page.tsx";
import { always } from "../events/shown_events.ts";

const SHOWN = { realm_playgrounds: always };

const create = form({
  action: "create",
  button: "Add code playground",
  fields: {
    name: text({
      label: "Name",
      hint: "Users choose the playground by this name. Up to {count} characters.",
      max: MAX_PLAYGROUND_NAME,
    }),
    pygments_language: text({
      label: "Language",
      hint: "The language of the code blocks, such as Python.",
      max: MAX_LANGUAGE,
    }),
    url_template: text({
      label: "URL template",
      hint: "The address of the playground. {code} stands for the code block, {?code} for a query with it.",
      max: MAX_PLAYGROUND_TEMPLATE,
      isMono: true,
    }),
  },
  parameters: { __all__: "url_template" },
  check: async ({ name, pygments_language }, { chat, realm, t }) => {
    const problems: Record<string, string> = {};
    if (!isLanguage(pygments_language)) {
      problems["pygments_language"] = t("Use letters, digits, spaces and + , - . / # only.");
    }
    const all = await playgroundList.read(chat, { realm });
    if (all.some((other) => other.name === name && other.pygments_language === pygments_language)) {
      problems["name"] = t("The language already has a playground of this name. Choose another name.");
    }
    return problems;
  },
  run: async ({ chat, caller, t }, values) => {
    await createPlayground(chat, caller, values);
    return { flash: t("Code playground {name} added.", { name: values.name }) };
  },
});

/** The page of all code playgrounds. */
export const playgroundsPage = adminPage({
  path: "/admin/playgrounds",
  find: { words: "snippets run languages" },
  title: "Code playgrounds",
  lede: "Code playgrounds are websites on which users open the code blocks of a language.",
  shows: SHOWN,
  load: async ({ chat, realm }) => await playgroundList.read(chat, { realm }),
  forms: [create],
  view: ({ data: playgrounds }) => {
    const { t } = useAdmin();
    const title = t("All code playgrounds");
    return (
      <>
        {playgrounds.length >= playgroundList.max
          ? (
            <p class="mb-6 text-small text-soft">
              {t("The organization has reached the maximum number of code playgrounds.")}
            </p>
          )
          : (
            <Panel title={t("New code playground")}>
              <Form of={create} />
            </Panel>
          )}
        <section aria-labelledby="list-title">
          <h2 id="list-title" class="mb-2">{title}</h2>
          {playgrounds.length === 0
            ? (
              <EmptyState title={t("There are no code playgrounds yet.")}>
                {t(
                  "Users see a button on code blocks of a language once it has a playground. Add the first one above.",
                )}
              </EmptyState>
            )
            : (
              <Table
                caption={title}
                items={playgrounds}
                columns={[
                  { title: t("Playground"), cell: (playground) => <Playground playground={playground} /> },
                  { title: t("Language"), cell: (playground) => <bdi>{playground.pygments_language}</bdi> },
                ]}
                actions={({ id, name }) => (
                  <ActionLink href={`/admin/playgrounds/${id}/delete`} about={name}>
                    {t("Delete")}
                  </ActionLink>
                )}
              />
            )}
        </section>
      </>
    );
  },
});

function Playground({ playground: { name, url_template } }: { playground: PlaygroundRecord }) {
  return (
    <div class="grid min-w-0 gap-0.5">
      <bdi class="font-strong break-words">{name}</bdi>
      <bdi class="font-mono text-small break-all text-soft [font-variant-ligatures:none]">{url_template}</bdi>
    </div>
  );
}

/** The page that confirms deleting a code playground. */
export const deletePlaygroundPage = confirmPage({
  path: "/admin/playgrounds/[id]/delete",
  title: "Delete this code playground?",
  above: [playgroundsPage],
  shows: SHOWN,
  load: async (request) => {
    const all = await playgroundList.read(request.chat, request);
    return all.find(({ id }) => id === pathId(request)) ?? null;
  },
  action: "delete",
  button: "Delete code playground",
  isFinal: true,
  view: ({ data }) => (
    <>
      <div class="mb-2 border-s-2 border-rule ps-3">
        <Playground playground={data} />
        <bdi class="text-small text-soft">{data.pygments_language}</bdi>
      </div>
      <p>
        {useAdmin().t("Users can no longer open code blocks on it, including those in existing messages.")}
      </p>
    </>
  ),
  run: async ({ chat, caller, t }, { id, name }) => {
    await deletePlayground(chat, caller, id);
    return { flash: t("Code playground {name} deleted.", { name }) };
  },
});
