import CopyKey from "@/islands/account/CopyKey.tsx";
import { DANGER_BUTTON, FIELD_LABEL, QUIET_BUTTON, TEXT_FIELD, WORD_BUTTON } from "@/lib/ui/class_names.ts";
import { AccountSection } from "./AccountSection.tsx";
import { type FieldSpec, FormFields, type FormProblems } from "./FormFields.tsx";
import type { ComponentChildren } from "preact";

interface ApiKeySectionProps {
  /** Page that the form is sent to; the key is rotated on the account page only. */
  readonly action: "/account" | "/connect";
  /** The API key right after it was requested; else null. */
  readonly shown: string | null;
  /** Day of UTC on which the key was last used, or null. */
  readonly lastUsed: string | null;
  readonly problems: FormProblems;
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
export function ApiKeySection({ action, shown, lastUsed, problems }: ApiKeySectionProps) {
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

interface AccountFormProps {
  /** Action that the form performs; sent as `action`. */
  readonly action: string;
  readonly fields: readonly FieldSpec[];
  readonly values?: Readonly<Record<string, string>>;
  /** Problems of all forms on the page; those of other forms are ignored. */
  readonly problems: FormProblems;
  /** Button label, which names the effect. */
  readonly button: string;
  /** Content besides the fields. */
  readonly children?: ComponentChildren;
}

/** Renders one form of the account page. */
export function AccountForm({ action, fields, values = {}, problems, button, children }: AccountFormProps) {
  const names = fields.map(({ name }) => name);
  const own = Object.fromEntries(Object.entries(problems).filter(([name]) => names.includes(name)));
  return (
    <form method="post" action="/account" noValidate class="grid gap-5">
      {children}
      <FormFields fields={fields} values={values} problems={own} />
      <div>
        <button type="submit" name="action" value={action} class={QUIET_BUTTON}>{button}</button>
      </div>
    </form>
  );
}
