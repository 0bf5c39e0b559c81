import { useAdmin } from "@/components/admin/admin_view.ts";
import { CancelLink } from "@/components/admin/CancelLink.tsx";
import { Panel } from "@/components/admin/Panel.tsx";
import { Link } from "@/components/Link.tsx";
import { MIN_PASSWORD_LENGTH } from "@/lib/chat/people/auth/passwords.ts";
import { createUser } from "@/lib/chat/joining/create_user.ts";
import { text } from "@/lib/admin/declare/fields.tsx";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { usersPage } from "./users.tsx";

const create = form({
  action: "create",
  button: "Create user",
  fields: {
    full_name: text({ label: "Full name", isExact: true, keepsBlanks: true }),
    email: text({ label: "Email address", type: "email", isExact: true, keepsBlanks: true }),
    password: text({
      label: "Password",
      hint: `Use ${MIN_PASSWORD_LENGTH} or more characters that are not easy to guess.`,
      type: "password",
      isExact: true,
      keepsBlanks: true,
    }),
  },
  run: async ({ chat, caller, t }, values) => {
    const { id, full_name } = await createUser(chat, caller, values);
    return { flash: t("User {name} created.", { name: full_name }), to: `/admin/users/${id}` };
  },
});

export const newUserPage = adminPage({
  path: "/admin/users/new",
  find: { words: "add new account member person" },
  load: () => Promise.resolve({}),
  title: "Create user",
  lede: (_, t) => (
    <>
      {t("Choose a password and give it to the user.")}{" "}
      {t("If possible, invite the user instead, so that they choose their own password.")}{" "}
      <Link class="link" href="/admin/invitations">{t("Invite people")}</Link>
    </>
  ),
  above: [usersPage],
  forms: [create],
  view: () => {
    const { t } = useAdmin();
    return (
      <Panel title={t("Create user")}>
        <Form of={create} beside={<CancelLink to={usersPage.path} />}>
          {(fields) => <div class="grid max-w-[28rem] gap-4">{Object.values(fields)}</div>}
        </Form>
      </Panel>
    );
  },
});
