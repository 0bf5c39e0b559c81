import { createContext, type JSX } from "preact";
import { useContext } from "preact/hooks";
import type { TypedFields } from "@/lib/admin/form_fields.ts";
import type { PersonChoice } from "@/lib/ui/permission_fields.ts";

/** Accounts to choose from, by the name of the field for people. */
export type FieldChoices = Readonly<Record<string, readonly PersonChoice[]>>;

/** A refused form with its submitted values and problems; a draft has none. */
export interface RefusedForm {
  readonly action: string;
  readonly typed: TypedFields;
  readonly problems: Readonly<Record<string, string>>;
  readonly choices?: FieldChoices;
  /** Whether the stored values were changed since the form was shown. */
  readonly isOutdated?: boolean;
  /** Result of a draft. */
  readonly result?: Readonly<Record<string, unknown>>;
  readonly draft?: JSX.Element | undefined;
}

/** Values and problems of one form. */
export interface FormState {
  readonly action: string;
  /** Returns the submitted value, else the stored one. */
  value(name: string, stored?: string): string;
  /** Whether a checkbox is checked: as submitted, else as stored. */
  isTicked(name: string, stored: boolean): boolean;
  /** Whether the checkbox with this value is checked, where several share a name. */
  holds(name: string, value: string, stored: readonly string[]): boolean;
  /** Returns the reason a field was refused. */
  problem(name: string): string | undefined;
  readonly problems: Readonly<Record<string, string>>;
  /** Whether it was refused because the stored values were changed since it was shown. */
  readonly isOutdated: boolean;
  /** Returns the accounts to choose from in a field for people. */
  choices(name: string): readonly PersonChoice[];
}

/** Name of the field with the action of the form that another action previews. */
export const EDIT_FIELD = "edit";

/**
 * Returns the state of the form with this action, also while it is previewed; `match` distinguishes forms that share an
 * action.
 */
export function formState(
  refused: RefusedForm | null,
  action: string,
  match: Readonly<Record<string, string>> = {},
): FormState {
  const isMine = refused !== null && (refused.typed[EDIT_FIELD]?.at(-1) ?? refused.action) === action &&
    Object.entries(match).every(([name, value]) => refused.typed[name]?.at(-1) === value);
  const typed = isMine ? refused.typed : null;
  const problems = isMine ? refused.problems : {};
  return {
    action,
    value: (name, stored = "") => typed === null ? stored : typed[name]?.at(-1) ?? "",
    isTicked: (name, stored) => typed === null ? stored : typed[name] !== undefined,
    holds: (name, value, stored) => (typed === null ? stored : typed[name] ?? []).includes(value),
    problem: (name) => problems[name],
    problems,
    isOutdated: isMine && refused.isOutdated === true,
    choices: (name) => isMine ? refused.choices?.[name] ?? [] : [],
  };
}

/** Context with the refused form or the draft of the page, or null. */
export const RefusedFormContext = createContext<RefusedForm | null>(null);

/** Returns the refused form or the draft of the page, or null. */
export function useRefusedForm(): RefusedForm | null {
  return useContext(RefusedFormContext);
}

/** Returns what a form showed in place of its effect, such as a question; null for nothing. */
export function useDraft({ action }: { readonly action: string }): JSX.Element | null {
  const refused = useRefusedForm();
  return refused?.action === action ? refused.draft ?? null : null;
}

/** Returns the state of one of the page's forms; `match` distinguishes forms that share an action. */
export function useFormState(
  { action }: { readonly action: string },
  match?: Readonly<Record<string, string>>,
): FormState {
  return formState(useRefusedForm(), action, match);
}
