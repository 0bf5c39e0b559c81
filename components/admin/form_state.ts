import type { RefusedForm } from "@/lib/admin/admin_page.ts";

/** What stands in the fields of one form, and what is wrong with them. */
export interface FormState {
  readonly action: string;
  /** What was typed, else what is stored. */
  value(name: string, stored?: string): string;
  /** Whether a box is ticked: as it was sent, else as it is stored. */
  isTicked(name: string, stored: boolean): boolean;
  /** Whether one of several boxes of a name is ticked. */
  holds(name: string, value: string, stored: readonly string[]): boolean;
  /** Why a field was refused. */
  problem(name: string): string | undefined;
  readonly problems: Readonly<Record<string, string>>;
}

/** The state of the form with this action on a page; `match` tells apart several with the same one. */
export function formState(
  refused: RefusedForm | null,
  action: string,
  match: Readonly<Record<string, string>> = {},
): FormState {
  const isMine = refused !== null && refused.action === action &&
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
  };
}
