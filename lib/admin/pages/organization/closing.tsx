import { useAdmin } from "@/components/admin/admin_view.ts";
import { useFormState } from "@/components/admin/form_state.ts";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { rendered } from "@/lib/admin/declare/fields.tsx";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import { CancelLink } from "@/components/admin/CancelLink.tsx";
import { TextInput } from "@/components/admin/fields.tsx";
import { sendOn } from "@/lib/api/page_session.ts";
import { clearSessionToken } from "@/lib/api/cookies.ts";
import { deactivateRealm } from "@/lib/chat/people/users/create_realm.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { isOwner, requireOwner } from "@/lib/chat/organization/users/model.ts";
import { DANGER_BUTTON } from "@/lib/ui/class_names.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { organizationPage } from "./organization.tsx";

/** Returns the text that confirms the deactivation: the subdomain, or the name of the root organization. */
function closingWord({ subdomain, name }: RealmRecord): string {
  return subdomain === "" ? name : subdomain;
}

const deactivate = form({
  action: "deactivate",
  button: "Deactivate organization",
  fields: { typed: rendered((submitted, name) => submitted.text(name).trim()) },
  run: async ({ ctx, chat, realm, user, services, t }, { typed }) => {
    requireOwner(user);
    const word = closingWord(realm);
    if (typed !== word && typed !== realm.name.trim()) {
      throw new FormRefusal({ typed: t("Type {word} exactly as shown.", { word }) });
    }
    await deactivateRealm(chat, realm.subdomain);
    // Sessions of a deactivated organization are invalid, so everyone is signed out.
    const response = sendOn(ctx, "/login");
    clearSessionToken(response.headers, services.isHttps);
    return response;
  },
});

/** The page that confirms deactivating the organization; the owner has to type its name. */
export const closingPage = adminPage({
  path: "/admin/organization/deactivate",
  load: ({ realm }: AdminRequest) => Promise.resolve(realm),
  title: ({ name }, t) => t("Deactivate {organization}?", { organization: name }),
  find: { name: "Deactivate organization", words: "close delete" },
  above: [organizationPage],
  forms: [deactivate],
  view: ({ data: realm }) => {
    const { t, user } = useAdmin();
    const state = useFormState(deactivate);
    const word = closingWord(realm);
    const cancel = <CancelLink to={organizationPage.path} />;
    return (
      <div class="grid max-w-[58ch] gap-6">
        <div class="grid gap-2">
          <p>
            {t(
              "All users, including you, are signed out immediately. Nobody can sign in or use the API anymore.",
            )}
          </p>
          <p>
            {t("Messages, files and accounts are kept. You cannot reactivate the organization on any page.")}
          </p>
        </div>
        {isOwner(user)
          ? (
            <Form of={deactivate} look={DANGER_BUTTON} beside={cancel}>
              {() => <TextInput state={state} name="typed" label={t("Type {word} to confirm", { word })} />}
            </Form>
          )
          : (
            <>
              <p class="font-medium text-accent">{t("Only owners can deactivate the organization.")}</p>
              {cancel}
            </>
          )}
      </div>
    );
  },
});
