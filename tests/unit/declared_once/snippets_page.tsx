import { ActionButton } from "@/components/admin/ActionButton.tsx";
import { Panel } from "@/components/admin/Panel.tsx";
import { createSnippet, deleteSnippet, snippets } from "@/lib/chat/messages/saved_snippets.ts";
import { rendered, text } from "@/lib/admin/declare/fields.tsx";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import { Table } from "@/components/admin/Table.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { always } from "@/lib/admin/events/shown_events.ts";

const create = form({
  action: "create",
  button: "Add snippet",
  fields: { title: text({ label: "Title", max: 60 }), content: text({ label: "Text", rows: 3 }) },
  run: async ({ chat, caller, t }, values) => {
    await createSnippet(chat, caller, values);
    return { flash: t("Snippet {title} added.", { title: values.title }) };
  },
});

const remove = form({
  action: "delete",
  fields: { id: rendered((submitted) => submitted.int("id") ?? 0) },
  run: async ({ chat, caller, t }, { id }) => {
    await deleteSnippet(chat, caller, id);
    return { flash: t("Snippet deleted.") };
  },
});

/** The page of the user's snippets. */
export const snippetsPage = adminPage({
  path: "/admin/snippets",
  title: "Snippets",
  shows: { saved_snippets: always },
  load: async ({ chat, caller }) => ({ items: await snippets.list(chat, caller) }),
  forms: [create, remove],
  view: ({ data: { items } }) => {
    const { t } = useTexts(null);
    return (
      <>
        <Panel title={t("Add snippet")}>
          <Form of={create} />
        </Panel>
        <Table
          caption={t("Snippets")}
          items={items}
          columns={[
            { title: t("Title"), cell: ({ title }) => <bdi>{title}</bdi> },
            { title: t("Text"), cell: ({ content }) => <bdi>{content}</bdi> },
          ]}
          actions={({ id, title }) => (
            <ActionButton
              action={remove.action}
              fields={{ id: String(id) }}
              label={t("Delete {title}", { title })}
            >
              {t("Delete")}
            </ActionButton>
          )}
        />
      </>
    );
  },
});
