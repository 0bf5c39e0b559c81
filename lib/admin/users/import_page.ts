import { createBulkAction } from "@/lib/chat/bulk_actions/bulk_actions.ts";
import { MIB } from "@/lib/chat/files/model.ts";
import { foldEmail } from "@/lib/chat/users/model.ts";
import { listUsers } from "@/lib/chat/users/store.ts";
import { type AdminPageSpec, type Done, FormRefusal } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import { MAX_IMPORTED, parseUserCsv } from "./parse_user_csv.ts";

/** Data of the page that imports users. */
export interface ImportData {
  /** Maximum number of users in a file. */
  readonly max: number;
  /** Whether the server delivers email. */
  readonly hasMail: boolean;
}

/** The page that imports users from a CSV file. */
export const importUsersPage: AdminPageSpec<ImportData> = {
  load: ({ chat }) => Promise.resolve({ max: MAX_IMPORTED, hasMail: chat.config.isMailDelivered }),
  actions: { upload: { run: upload, fieldOf: () => "file" } },
  files: { maxBytes: MIB, tooLarge: "The file is larger than 1 MiB.", action: "upload" },
};

/** Prepares the import of a file; its page shows the preview. */
async function upload(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, realm, caller, formatter, messages } = request;
  const text = messages.users;
  const file = fields.files.find(({ length }) => length > 0);
  if (file === undefined) throw new FormRefusal({ file: text.importMissing });
  const { users, problems } = await parseUserCsv(request, file);
  if (problems.length > 0) throw new FormRefusal({ file: problems.join("\n") });
  const known = new Set((await listUsers(chat, realm.id)).map((user) => foldEmail(user.delivery_email)));
  const items = users.filter(([, email]) => !known.has(foldEmail(email)));
  if (items.length === 0) throw new FormRefusal({ file: text.importKnown });
  const { id } = await createBulkAction(chat, caller, { change: { kind: "import" }, items, isDraft: true });
  const left = users.length - items.length;
  const flash = left === 0 ? text.importReady : formatter.t(text.importLeftOut, { count: left });
  return { flash, to: `/admin/bulk-actions/${id}` };
}
