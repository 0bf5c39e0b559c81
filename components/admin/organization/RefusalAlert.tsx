import type { RefusedForm } from "../form_state.ts";
import { FormProblem } from "../FormProblem.tsx";

interface RefusalAlertProps {
  readonly refused: RefusedForm | null;
  /** Whether the refused form is on the page and shows its problems itself. */
  readonly isShown: boolean;
}

/** Renders the problems of a refused form that is not on the page, such as a row's button. */
export function RefusalAlert({ refused, isShown }: RefusalAlertProps) {
  if (refused === null || isShown) return null;
  return <FormProblem problem={Object.values(refused.problems).join(" ")} margin="mb-6" />;
}
