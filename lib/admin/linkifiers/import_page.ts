import { importLinkifiers, MAX_IMPORTED_LINKIFIERS } from "@/lib/chat/linkifiers/change_linkifiers.ts";
import type { LinkifierFields, LinkifierRecord } from "@/lib/chat/linkifiers/model/linkifier.ts";
import { findLinkifierProblems } from "@/lib/chat/linkifiers/model/validate_linkifier.ts";
import { listLinkifiers } from "@/lib/chat/linkifiers/store.ts";
import { type AdminPageSpec, type Done, FormRefusal } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import { revisionOf } from "../revision.ts";
import { tooLongFields } from "./linkifier_form.ts";
import { parseLinkifiers } from "./parse_linkifiers.ts";

/** Data of the page that imports linkifiers. */
export interface ImportLinkifiersData {
  /** Maximum number of linkifiers that are added at once. */
  readonly limit: number;
}

/** A linkifier of the preview. */
export interface PreviewedLinkifier {
  readonly pattern: string;
  readonly urlTemplate: string;
  /** Whether a linkifier with the pattern exists already. */
  readonly isKnown: boolean;
  /** Sentences about what is wrong. */
  readonly problems: readonly string[];
}

/** Preview of an import. */
export interface ImportPreview {
  readonly linkifiers: readonly PreviewedLinkifier[];
  /** Number of linkifiers that are added; 0 when one of them is invalid. */
  readonly added: number;
  /** Confirms the import of exactly this text. */
  readonly confirmed: string;
}

/** The page that imports linkifiers from JSON or CSV after a preview. */
export const importLinkifiersPage: AdminPageSpec<ImportLinkifiersData> = {
  load: () => Promise.resolve({ limit: MAX_IMPORTED_LINKIFIERS }),
  actions: { import: { run: importAll, fieldOf: () => "text" } },
};

async function importAll(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, realm, caller, messages, formatter } = request;
  const text = messages.linkifiers.import;
  const content = fields.text("text");
  const parsed = parseLinkifiers(content);
  if (parsed === null || parsed.length === 0) throw new FormRefusal({ text: text.invalid });
  if (parsed.length > MAX_IMPORTED_LINKIFIERS) {
    throw new FormRefusal({ text: formatter.t(text.tooMany, { count: MAX_IMPORTED_LINKIFIERS }) });
  }
  // Browsers send line ends of a hidden field in another form than the server wrote them.
  const confirmed = revisionOf(content.replaceAll(/\r\n?/g, "\n"));
  if (fields.text("confirmed") !== confirmed) {
    const linkifiers = toPreview(request, parsed, await listLinkifiers(chat, realm.id));
    const isValid = linkifiers.every(({ problems }) => problems.length === 0);
    const added = isValid ? linkifiers.filter(({ isKnown }) => !isKnown).length : 0;
    const preview: ImportPreview = { linkifiers, added, confirmed };
    return { flash: "", isDraft: true, result: { preview } };
  }
  const count = await importLinkifiers(chat, caller, parsed);
  return { flash: formatter.t(text.done, { count }), to: "/admin/linkifiers" };
}

function toPreview(
  request: AdminRequest,
  imported: readonly LinkifierFields[],
  stored: readonly LinkifierRecord[],
): readonly PreviewedLinkifier[] {
  return imported.map((fields, at) => {
    const isKnown = stored.some(({ pattern }) => pattern === fields.pattern);
    const others = imported.slice(0, at).map((other) => ({ id: 0, ...other }));
    const tooLong = Object.values(tooLongFields(request, fields));
    const problems = isKnown
      ? []
      : tooLong.length > 0
      ? tooLong
      : findLinkifierProblems(fields, others).map(({ message }) => message);
    return { pattern: fields.pattern, urlTemplate: fields.url_template, isKnown, problems };
  });
}
