import { PageTitle } from "../PageTitle.tsx";
import { SitePage } from "../SitePage.tsx";
import type { FieldSpec } from "./FormField.tsx";
import { FormPanel } from "./FormPanel.tsx";

interface ForgotPasswordPageProps {
  /** Submitted values. */
  readonly form: { readonly email: string };
  /** Whether the form was accepted, which does not reveal whether the address has an account. */
  readonly isSent: boolean;
  /** Reason the form was refused, or null. */
  readonly problem: string | null;
}

const FIELDS: readonly FieldSpec[] = [
  {
    name: "email",
    label: "E-mail address",
    type: "email",
    autocomplete: "username",
    hint: "The one that you sign in with.",
  },
];

/** Renders the form that requests a link to reset the password. */
export function ForgotPasswordPage({ form, isSent, problem }: ForgotPasswordPageProps) {
  if (isSent) return <Sent email={form.email} />;
  return (
    <SitePage title={problem === null ? "Forgot your password?" : "Not sent"}>
      <PageTitle title="Forgot your password?">
        You are sent a link that lets you choose a new one. Until then the old one stays as it is.
      </PageTitle>
      <FormPanel
        action="/forgot-password"
        fields={FIELDS}
        values={form}
        problems={problem === null ? {} : { email: problem }}
        button="Send the link"
      >
        <a class="link inline-flex min-h-11 items-center text-small" href="/login">Back to signing in</a>
      </FormPanel>
    </SitePage>
  );
}

/** Renders the same text for every address, so that the page never reveals who has an account. */
function Sent({ email }: { email: string }) {
  return (
    <SitePage title="Check your mail">
      <PageTitle title="Check your mail">
        If <span class="text-ink break-words">{email || "that address"}</span>{" "}
        belongs to an account, a link to choose a new password is on its way to it.
      </PageTitle>
      <p class="mt-6 max-w-[56ch]">
        Nothing there after a few minutes? Look among the unwanted mail, and whether the address above is
        right.
      </p>
      <p class="mt-6 flex flex-wrap gap-x-6 gap-y-2">
        <a class="link font-strong" href="/login">Sign in</a>
        <a class="link" href="/forgot-password">Try another address</a>
      </p>
    </SitePage>
  );
}
