import type { SetupClosed, SetupData } from "@/lib/pages/setup_page.ts";
import { toVisible } from "@/lib/ui/short_link.ts";
import { PageTitle, SitePage } from "../PageFrame.tsx";
import { type FieldSpec, FormPanel, NEW_PASSWORD } from "../account/FormFields.tsx";
import { ConfirmationPage } from "../account/ConfirmEmailPage.tsx";

/** Renders the setup form, which creates the organization and its owner. */
export function SetupPage({ baseUrl, token, form, problems }: SetupData) {
  const { organization, fullName, email } = form;
  return (
    <SitePage title={Object.keys(problems).length > 0 ? "Not created" : "Create organization"}>
      <PageTitle title="Create organization">
        Set up this server by creating its organization. You will be its owner.
      </PageTitle>
      <FormPanel
        action="/setup"
        hidden={{ token }}
        fields={fieldsOf(baseUrl)}
        values={{ organization, full_name: fullName, email }}
        problems={problems}
        button="Create organization"
      />
    </SitePage>
  );
}

function fieldsOf(baseUrl: string): readonly FieldSpec[] {
  return [
    {
      name: "organization",
      label: "Organization name",
      autocomplete: "organization",
      hint: `All users see this name. The address of the organization is ${toVisible(baseUrl)}.`,
    },
    { name: "full_name", label: "Your name", autocomplete: "name", hint: "Other users see this name." },
    {
      name: "email",
      label: "Your email address",
      type: "email",
      autocomplete: "username",
      hint: "You will use it to sign in.",
    },
    { ...NEW_PASSWORD, name: "password", label: "Your password" },
  ];
}

/** Renders the page of a setup link that was used, is wrong, or was replaced at the server's last start. */
export function SetupUnavailable({ isSetUp }: SetupClosed) {
  return isSetUp
    ? (
      <ConfirmationPage
        title="This server is set up"
        text="The organization was created, and the setup link no longer works."
        link={{ href: "/login", label: "Sign in" }}
      />
    )
    : (
      <ConfirmationPage
        title="This link does not work"
        text="Open the whole setup link that the server printed last. It prints a new one each time it starts, until there is an organization."
        link={{ href: "/", label: "Home" }}
      />
    );
}
