import { Fragment } from "preact";
import { type CodePoint, describeCodePoints } from "@/lib/ui/code_points.ts";

/** Renders an id with its invisible characters as dashed squares labeled with their names. */
export function InvisibleText({ text }: { text: string }) {
  return (
    <span lang="en" class="font-mono text-tiny select-none">
      {describeCodePoints(text).map((point, at) => (
        <Fragment key={at}>
          <CodePointMark {...point} />
          {" "}
        </Fragment>
      ))}
    </span>
  );
}

/**
 * Lists the characters of an id with code point and Unicode name. Unicode names are English in every
 * language.
 */
export function CodePointList({ text }: { text: string }) {
  return (
    <ol lang="en" class="mt-3 max-w-[30rem] border-t border-rule">
      {describeCodePoints(text).map((point, at) => (
        <li
          key={at}
          class="grid grid-cols-[5.75rem_minmax(0,1fr)] items-center gap-x-2 border-b border-rule py-2 text-small"
        >
          <span class="font-mono">
            <CodePointMark {...point} />
          </span>
          <span>
            <code>{point.code}</code> <span class="text-soft">{point.name}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

function CodePointMark({ label, isInvisible }: CodePoint) {
  if (!isInvisible) return <span>{label}</span>;
  return (
    <span class="ghost inline-block px-1.5 py-1 align-[0.1em] font-mono text-tiny leading-none font-medium whitespace-nowrap">
      {label}
    </span>
  );
}
