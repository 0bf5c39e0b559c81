import type { RenderMath } from "./context.ts";

/** Loads the renderer of formulas if a content may contain any; until then, it takes neither time nor memory. */
export async function loadMathRenderer(content: string): Promise<{ readonly renderMath?: RenderMath }> {
  if (!/\$\$|math/.test(content)) return {};
  const { renderMath } = await import("./render_math.ts");
  return { renderMath };
}
