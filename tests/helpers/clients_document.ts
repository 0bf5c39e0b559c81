import {
  CLIENT_PROGRAMS,
  type ClientProgram,
  describeCheck,
  fillIn,
  KEY_PLACEHOLDER,
} from "@/lib/ui/client_programs.ts";

const START = "<!-- Written by `deno task programs` from lib/ui/client_programs.ts -->";
const END = "<!-- End of what `deno task programs` writes -->";
const EXAMPLE = {
  address: "http://localhost:8000",
  email: "ada@example.com",
  login: "ada@example.com",
  key: KEY_PLACEHOLDER,
};

/** Returns docs/clients.md with the sections of the programs as the list has them, unformatted. */
export function withPrograms(document: string): string {
  const from = document.indexOf(START);
  const to = document.indexOf(END);
  if (from < 0 || to < from) throw new Error("docs/clients.md lacks the lines between which programs stand");
  const sections = CLIENT_PROGRAMS.map(toSection).join("\n");
  return `${document.slice(0, from)}${START}\n\n${sections}\n${document.slice(to)}`;
}

function toSection(program: ClientProgram): string {
  const { title, needsAliases, parts, limits } = program;
  const check = needsAliases ? describeCheck(program) : `${describeCheck(program)} Needs no other names.`;
  const steps = parts.map((part) =>
    typeof part === "string"
      // Relative to docs/, where links to this document need no name.
      ? fillIn(part, EXAMPLE).replaceAll("](clients.md#", "](#")
      : `\`\`\`${part.language}\n${fillIn(part.code, EXAMPLE, part.language)}\`\`\``
  );
  const failing = limits.map((limit) => limit.replaceAll("](clients.md#", "](#"));
  const list = failing.length > 1 ? `\n\n- ${failing.join("\n- ")}` : ` ${failing[0]}`;
  const end = failing.length === 0 ? [] : [`What does not work:${list}`];
  const isText = typeof parts[0] === "string";
  const begin = isText ? [`${check} ${steps[0]}`, ...steps.slice(1)] : [check, ...steps];
  return `${[`### ${title}`, ...begin, ...end].join("\n\n")}\n`;
}
