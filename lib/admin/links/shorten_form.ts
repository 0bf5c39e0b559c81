import { trim } from "es-toolkit/string/trim";
import type { AppError } from "@/lib/core/errors.ts";
import { storeLink } from "@/lib/links/actions.ts";
import { findUrlProblem } from "@/lib/links/params.ts";
import { type AdminAction, FormRefusal } from "../admin_page.ts";
import { linkActorOf } from "./shown_link.ts";

/** Creates the action of a form that shortens a URL and redirects to the page that `toPath` returns for its id. */
export function shortenAction(toPath: (short: string) => string): AdminAction {
  return {
    // A blocked host concerns the URL; other refusals concern the server.
    fieldOf: ({ code }: AppError) => code === "UNPROCESSABLE" ? "url" : null,
    async run(request, fields) {
      const { services: { links }, formatter, messages } = request;
      const url = trim(fields.exact("url"), [" ", "\t", "\r", "\n"]);
      const problem = findUrlProblem(url);
      if (problem !== null) throw new FormRefusal({ url: problem });
      const { creator } = linkActorOf(request);
      const { short } = await storeLink(links, url, creator === null ? {} : { creator });
      return { flash: formatter.t(messages.links.made), to: toPath(short) };
    },
  };
}
