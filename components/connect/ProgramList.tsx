import CopyText from "@/islands/admin/stats/CopyText.tsx";
import {
  CLIENT_PROGRAMS,
  type ClientProgram,
  type ConnectionValues,
  describeCheck,
  fillIn,
} from "@/lib/ui/client_programs.ts";
import { Link } from "../Link.tsx";

interface ProgramListProps {
  readonly values: ConnectionValues;
  /** Whether the server has the other names of fields that some programs need. */
  readonly hasAliases: boolean;
}

/** Renders the steps of each kind of program that was tried, and what does not work. */
export function ProgramList({ values, hasAliases }: ProgramListProps) {
  return (
    <section aria-labelledby="programs-title" class="border-t border-rule py-8 md:py-10">
      <h2 id="programs-title">Programs</h2>
      <p class="mt-2 max-w-[60ch] text-small text-soft">
        Apps, libraries and tools for this API that were tried, with what does not work.{" "}
        <Link class="link" href="/docs">API documentation</Link>
      </p>
      <ul class="mt-5 border-t border-rule">
        {CLIENT_PROGRAMS.map((program, at) => (
          <li key={program.id} class="border-b border-rule">
            <details id={program.id} name="program" open={at === 0}>
              <summary class="min-h-11 content-center font-strong">
                {program.title}
                {program.needsAliases && !hasAliases && (
                  <span class="ms-2 font-normal text-soft">not yet on this server</span>
                )}
              </summary>
              <Program program={program} values={values} isReady={!program.needsAliases || hasAliases} />
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ProgramProps {
  readonly program: ClientProgram;
  readonly values: ConnectionValues;
  readonly isReady: boolean;
}

function Program({ program, values, isReady }: ProgramProps) {
  return (
    <div class="grid max-w-[44rem] gap-4 pt-1 pb-6">
      <p class="text-small text-soft">{describeCheck(program)}</p>
      {!isReady && (
        <p class="text-small font-medium text-accent">
          It needs other names of three fields, which the operator of this server sets first:{" "}
          <Link class="link" href="/docs/clients#connecting-clients">Connecting clients</Link>.
        </p>
      )}
      {program.parts.map((part) =>
        typeof part === "string"
          ? <p key={part}>{toInline(fillIn(part, values))}</p>
          : <Code key={part.code} code={fillIn(part.code, values, part.language)} />
      )}
      {program.limits.length > 0 && (
        <div class="text-small">
          <p class="font-strong">Not working</p>
          <ul class="mt-1 list-disc ps-5">
            {program.limits.map((limit) => <li key={limit} class="mt-1">{toInline(limit)}</li>)}
          </ul>
        </div>
      )}
    </div>
  );
}

function Code({ code }: { code: string }) {
  return (
    <div class="grid justify-items-start gap-2">
      <pre
        tabIndex={0}
        class="w-full overflow-x-auto rounded-control border border-rule bg-raised p-4 font-mono text-small"
      >
        {code.trimEnd()}
      </pre>
      <CopyText text={code} label="Copy" done="Copied" />
    </div>
  );
}

/** Returns a text with its code spans and links to documents as elements. */
function toInline(text: string) {
  return text.split(/(`[^`]+`|\[[^\]\[]+\]\([^)(]+\))/).map((piece, at) => {
    if (piece.startsWith("`")) {
      return <code key={at} class="font-mono text-[0.9em] break-words">{piece.slice(1, -1)}</code>;
    }
    const link = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(piece);
    if (link === null) return piece;
    const path = `/docs/${(link[2] ?? "").replace(".md", "")}`;
    return <Link key={at} class="link" href={path}>{link[1]}</Link>;
  });
}
