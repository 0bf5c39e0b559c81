import type { InputHTMLAttributes, Ref, VNode } from "preact";
import {
  FIELD_HINT,
  FIELD_LABEL,
  FIELD_PROBLEM,
  PRIMARY_BUTTON,
  QUIET_BUTTON,
  TEXT_FIELD,
} from "@/lib/ui/class_names.ts";
import { fieldOfProblem, type ShortenField } from "@/lib/ui/problem.ts";

/** Asks for a keyboard with a slash and turns spelling aids off. */
const URL_KEYBOARD: InputHTMLAttributes = {
  type: "url",
  inputMode: "url",
  placeholder: "https://",
  autoComplete: "off",
  autoCapitalize: "none",
};

interface ShortenFieldsProps {
  readonly url: string;
  readonly needsKey: boolean;
  readonly problem: string | null;
  /** URL to use in place of the refused one, or null. */
  readonly suggestion: string | null;
  readonly isSlow: boolean;
  readonly urlField: Ref<HTMLInputElement>;
  readonly keyField: Ref<HTMLInputElement>;
}

/** Renders the fields of the shortening form, with and without JavaScript. */
export function ShortenFields(
  { url, needsKey, problem, suggestion, isSlow, urlField, keyField }: ShortenFieldsProps,
) {
  const problemOf = (field: ShortenField) =>
    problem !== null && fieldOfProblem(problem, needsKey) === field ? problem : null;
  const button = <SubmitButton isSlow={isSlow} />;
  return (
    <div class="grid gap-5">
      <Field
        name="url"
        label="Long URL"
        hint="Any absolute URL of up to 500 characters."
        problem={problemOf("url")}
        button={needsKey ? null : button}
      >
        {(described) => (
          <input {...described} {...URL_KEYBOARD} ref={urlField} defaultValue={url} class={TEXT_FIELD} />
        )}
      </Field>
      {needsKey && (
        <Field
          name="key"
          label="Key"
          hint="This server requires a key to shorten URLs."
          problem={problemOf("key")}
          button={button}
        >
          {(described) => (
            <input {...described} ref={keyField} type="password" autoComplete="off" class={TEXT_FIELD} />
          )}
        </Field>
      )}
      {/* Behind the main button, which the Enter key presses. */}
      {suggestion !== null && (
        <button
          type="submit"
          name="suggested"
          value={suggestion}
          class={`${QUIET_BUTTON} justify-self-start text-start wrap-anywhere`}
        >
          Use {suggestion}
        </button>
      )}
    </div>
  );
}

interface FieldProps {
  readonly name: ShortenField;
  readonly label: string;
  readonly hint: string;
  readonly problem: string | null;
  /** Placed beside the field where there is room, else below its hint. */
  readonly button: VNode | null;
  readonly children: (described: ReturnType<typeof describe>) => VNode;
}

/** Renders a field with its label; a problem replaces the hint, so that the layout stays stable. */
function Field({ name, label, hint, problem, button, children }: FieldProps) {
  return (
    <div>
      <label for={name} class={FIELD_LABEL}>{label}</label>
      <div
        class={`mt-1.5 grid gap-x-3 gap-y-1.5 ${button === null ? "" : "sm:grid-cols-[minmax(0,1fr)_auto]"}`}
      >
        {children(describe(name, problem !== null))}
        <div class="min-h-5 sm:row-start-2">
          <p id={`${name}-hint`} class={FIELD_HINT} hidden={problem !== null}>{hint}</p>
          <p id={`${name}-problem`} class={FIELD_PROBLEM} role="alert">{problem}</p>
        </div>
        {button}
      </div>
    </div>
  );
}

/** Returns the attributes of a field; a refused one is marked invalid and focused when the page loads. */
function describe(name: ShortenField, isWrong: boolean) {
  return {
    id: name,
    name,
    required: true,
    autofocus: isWrong,
    "aria-invalid": isWrong,
    "aria-describedby": isWrong ? `${name}-problem` : `${name}-hint`,
  };
}

function SubmitButton({ isSlow }: { isSlow: boolean }) {
  return (
    <button type="submit" class={`${PRIMARY_BUTTON} mt-2 min-w-30 sm:mt-0`} aria-disabled={isSlow}>
      {isSlow ? "Shortening…" : "Shorten"}
    </button>
  );
}
