interface FormProblemProps {
  /** Undefined for a form without one. */
  readonly problem: string | undefined;
  /** Class name of the space below it. */
  readonly margin?: "mb-4" | "mb-6";
}

/** Renders the general problem of a form, with the focus on it. */
export function FormProblem({ problem, margin }: FormProblemProps) {
  if (problem === undefined) return null;
  return (
    <p
      role="alert"
      tabIndex={-1}
      autofocus
      class={`${
        margin === undefined ? "" : `${margin} `
      }rounded-control border border-accent bg-wash px-4 py-2.5 text-accent`}
    >
      {problem}
    </p>
  );
}
