import type { FormState } from "../form_state.ts";

/** Renders the general problem of a form that does not render it itself. */
export function FormProblem({ state }: { state: FormState }) {
  const problem = state.problem("form");
  if (problem === undefined) return null;
  return (
    <p role="alert" tabIndex={-1} autofocus class="mb-4 rounded-control bg-wash px-4 py-2.5 text-accent">
      {problem}
    </p>
  );
}
