import { TextInput } from "@/components/admin/fields.tsx";
import { useFormState } from "@/components/admin/form_state.ts";
import { Panel } from "@/components/admin/Panel.tsx";
import { Link } from "@/components/Link.tsx";
import { MIN_PASSWORD_LENGTH } from "@/lib/chat/people/auth/passwords.ts";
import { createUser } from "@/lib/chat/people/users/create_user.ts";
import { text } from "@/lib/admin/declare/fields.tsx";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { usersPage } from "./users.tsx";

const texts = {
  newInvite: "If possible, invite the user instead, so that they choose their own password.",
};

const create = form({
  action: "create",
  button: "Create user",
  fields: {
    full_name: text({ label: "Full name", isExact: true, keepsBlanks: true }),
    email: text({ label: "Email address", type: "email", isExact: true, keepsBlanks: true }),
  },
  parameters: { password: "password", role: "role" },
  run: async ({ chat, caller, t }, values, submitted) => {
    const { id, full_name } = await createUser(chat, caller, {
      ...values,
      password: submitted.exact("password"),
    });
    return { flash: t("User {name} created.", { name: full_name }), to: `/admin/users/${id}` };
  },
});

/** The page that creates an account with an initial password. */
export const newUserPage = adminPage({
  path: "/admin/users/new",
  load: () => Promise.resolve({}),
  title: "Create user",
  lede: (_, t) => (
    <>
      {t("Choose a password and give it to the user.")} {t(texts.newInvite)}{" "}
      <Link class="link" href="/admin/invitations">{t("Invite people")}</Link>
    </>
  ),
  above: [usersPage],
  forms: [create],
  view: () => {
    const { t } = useTexts(texts);
    const state = useFormState(create);
    return (
      <Panel title={t("Create user")}>
        <Form of={create}>
          {({ full_name, email }) => (
            <div class="grid max-w-[28rem] gap-4">
              {full_name}
              {email}
              <TextInput
                state={state}
                name="password"
                type="password"
                label={t("Password")}
                showText={t("Show")}
                autocomplete="new-password"
                hint={t("Use {count} or more characters that are not easy to guess.", {
                  count: MIN_PASSWORD_LENGTH,
                })}
              />
            </div>
          )}
        </Form>
      </Panel>
    );
  },
});
