import type { LoginData } from "@/lib/pages/login_page.ts";
import { OrganizationIcon } from "../OrganizationIcon.tsx";
import { PageTitle, SitePage } from "../PageFrame.tsx";
import { type FieldSpec, FormNotice, FormPanel } from "./FormFields.tsx";
import { Link } from "../Link.tsx";

const FIELDS: readonly FieldSpec[] = [
  { name: "username", label: "Email address", type: "email", autocomplete: "username" },
  { name: "password", label: "Password", type: "password", autocomplete: "current-password" },
];

/** Renders the sign-in page. */
export function LoginPage({ organization, icon, next, form, problem, notice }: LoginData) {
  if (organization === null) return <NoOrganization />;
  return (
    <SitePage title={problem === null ? "Sign in" : "Not signed in"} current="/login">
      <OrganizationIcon icon={icon} alt={`Icon of ${organization}`} size={48} class="mb-4" />
      <PageTitle title={`Sign in to ${organization}`} />
      {notice !== null && problem === null && (
        <div class="mt-6">
          <FormNotice kind="good" text={notice} takesFocus />
        </div>
      )}
      <FormPanel
        action="/login"
        hidden={next === null ? {} : { next }}
        fields={FIELDS}
        values={{ username: form.email }}
        problems={problem === null ? {} : { form: problem }}
        button="Sign in"
      >
        <Link class="link inline-flex min-h-11 items-center text-small" href="/forgot-password">
          Forgot your password?
        </Link>
      </FormPanel>
    </SitePage>
  );
}

function NoOrganization() {
  return (
    <SitePage title="Sign in" current="/login">
      <PageTitle title="Sign in">
        This server has no organization yet.
      </PageTitle>
      <p class="mt-6 max-w-[56ch]">
        To create one, open the one-time setup link that the server printed when it started. The person who
        completes the setup becomes the owner.
      </p>
      <p class="mt-6">
        <Link class="link font-strong" href="/">Shorten a URL</Link>{" "}
        <span class="text-soft">(no account needed)</span>
      </p>
    </SitePage>
  );
}
