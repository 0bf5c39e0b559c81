import type { AccountData } from "@/lib/pages/account_page.ts";
import CopyKey from "@/islands/account/CopyKey.tsx";
import { DANGER_BUTTON, FIELD_LABEL, QUIET_BUTTON, TEXT_FIELD, WORD_BUTTON } from "@/lib/ui/class_names.ts";
import { AccountSection } from "./AccountShell.tsx";
import { type FieldSpec, FormFields } from "./FormFields.tsx";

interface ApiKeySectionProps extends Pick<AccountData, "problems"> {
  /** Page that the form is sent to; the key is rotated on the account page only. */
  readonly action: "/account" | "/connect";
}

/** Fields of the API key section. */
export const API_KEY_FIELDS: readonly FieldSpec[] = [
  {
    name: "password",
    label: "Your password",
    type: "password",
    autocomplete: "current-password",
    hint: "Required each time you show or rotate the key.",
  },
];

/** Renders the section that shows the API key or creates a new one; both ask for the password. */
export function ApiKeySection(
  { action, shown, lastUsed, problems }: ApiKeySectionProps & AccountData["apiKey"],
) {
  const own = problems.password === undefined ? {} : { password: problems.password };
  return (
    <AccountSection
      id="api-key"
      title="API key"
      text="A program with your email address and this key can do everything that you can. Keep it secret, like a password."
    >
      <form method="post" action={action} noValidate class="grid gap-5">
        <p class="text-small text-soft">
          {lastUsed === null ? "This key has not been used yet." : `Last used on ${lastUsed} (UTC).`}
        </p>
        {shown !== null && <ShownKey apiKey={shown} />}
        <FormFields fields={API_KEY_FIELDS} problems={own} />
        <div class="flex flex-wrap items-center gap-x-5 gap-y-2">
          {shown === null && (
            <button type="submit" name="action" value="show_key" class={QUIET_BUTTON}>Show API key</button>
          )}
          <button
            type="submit"
            name="action"
            value="download_key"
            aria-describedby="download-hint"
            class={WORD_BUTTON}
          >
            Download key file
          </button>
        </div>
        <p id="download-hint" class="-mt-2 text-small text-soft">
          The file contains your email address, the key and the address of this server, for command-line
          programs.
        </p>
        {action === "/account" && <RotateKey />}
      </form>
    </AccountSection>
  );
}

/** Renders the second step of rotating the key, which cannot be undone. */
function RotateKey() {
  return (
    <details class="border-t border-rule pt-3">
      <summary class="min-h-8 w-fit text-small font-medium">Rotate API key…</summary>
      <p class="mt-2 mb-4 text-small text-soft">
        Rotating creates and shows a new key. The old key stops working immediately, so update all programs
        that use it. Your bots keep their own keys. This cannot be undone.
      </p>
      <button type="submit" name="action" value="rotate_key" class={DANGER_BUTTON}>Rotate API key</button>
    </details>
  );
}

function ShownKey({ apiKey }: { apiKey: string }) {
  return (
    <div class="grid gap-y-1.5">
      <label for="api_key" class={FIELD_LABEL}>Your API key</label>
      <input
        id="api_key"
        readOnly
        autoComplete="off"
        spellcheck={false}
        value={apiKey}
        autofocus
        class={`${TEXT_FIELD} font-mono text-tiny sm:text-body`}
      />
      <CopyKey apiKey={apiKey} />
    </div>
  );
}
