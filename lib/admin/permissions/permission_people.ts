import { findAccessibleUser } from "@/lib/chat/users/get_accessible_user.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import { readDirectory, readUser } from "@/lib/chat/users/store.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import type { AdminRequest } from "../admin_request.ts";
import { FormRefusal } from "../admin_page.ts";
import { linesOf, toPersonLine } from "@/lib/ui/permission_fields.ts";

/** Maximum number of users in a field. */
const MAX_NAMED_PEOPLE = 1000;

/** Formats users for a field: one line each with name and id, so that each can be found again. */
export function toPeopleText(users: readonly Pick<UserRecord, "id" | "full_name">[]): string {
  return users.map(toPersonLine).join("\n");
}

/**
 * Returns the active accounts, bots included, that a text names by name, address or id, one per line or
 * comma-separated; each once, in order.
 * @throws FormRefusal at `field`, naming unknown and ambiguous ones.
 */
export async function findPeople(
  request: AdminRequest,
  text: string,
  field: string,
): Promise<readonly UserRecord[]> {
  const { messages, formatter } = request;
  const lines = linesOf(text);
  if (lines.length > MAX_NAMED_PEOPLE) {
    const problem = formatter.t(messages.permissions.tooManyPeople, { count: MAX_NAMED_PEOPLE });
    throw new FormRefusal({ [field]: problem });
  }
  const book = addressBook(request);
  const found = new Map<number, UserRecord>();
  for (const line of lines) {
    const whole = await findOne(request, line, book);
    const names = whole.length > 0 ? [line] : line.split(",").map((name) => name.trim()).filter(Boolean);
    for (const name of names.slice(0, MAX_NAMED_PEOPLE)) {
      const users = names.length === 1 && name === line ? whole : await findOne(request, name, book);
      const [user] = users;
      if (user === undefined || users.length > 1) {
        throw new FormRefusal({ [field]: refusal(request, name, users.length) });
      }
      found.set(user.id, user);
    }
  }
  return [...found.values()];
}

function refusal({ messages, formatter }: AdminRequest, name: string, count: number): string {
  const text = messages.permissions;
  const phrase = count > 1 ? text.severalPeople : /^\d+$/.test(name) ? text.noId : text.noPerson;
  return formatter.t(phrase, { name: name.slice(0, 100) });
}

/** Active accounts by their comparable names. */
type AddressBook = () => Promise<ReadonlyMap<string, readonly UserRecord[]>>;

/** Reads all accounts once, and only when a name has to be found. */
function addressBook({ chat, realm }: AdminRequest): AddressBook {
  let book: Promise<ReadonlyMap<string, readonly UserRecord[]>> | null = null;
  return () => {
    book ??= readDirectory(chat, realm.id).then(({ byName }) =>
      Map.groupBy(byName.filter(({ is_active }) => is_active), ({ full_name }) => foldName(full_name))
    );
    return book;
  };
}

function foldName(name: string): string {
  return name.normalize("NFC").trim().toLowerCase();
}

/** Returns every active account that a name, address or id may mean. */
async function findOne(
  { chat, realm, caller }: AdminRequest,
  text: string,
  book: AddressBook,
): Promise<readonly UserRecord[]> {
  const id = /^(?:(.*)\()?(\d{1,15})\)?$/.exec(text);
  if (id !== null) {
    const [, name, digits] = id;
    const user = await readUser(chat, realm.id, Number(digits));
    const isMeant = user !== null && (name === undefined || foldName(name) === foldName(user.full_name));
    if (isMeant) return user.is_active && user.is_system_bot !== true ? [user] : [];
  }
  if (text.includes("@")) {
    const user = await findAccessibleUser(chat, caller, text);
    if (user?.is_active === true && user.is_system_bot !== true) return [user];
  }
  return (await book()).get(foldName(text)) ?? [];
}

/**
 * Returns the ids of the active groups that lines of the form `@name` name.
 * @throws FormRefusal at `field` for an unknown one.
 */
export async function findGroups(
  { chat, realm, messages, formatter }: AdminRequest,
  lines: readonly string[],
  field: string,
): Promise<readonly number[]> {
  if (lines.length === 0) return [];
  const { groups } = await peekPermissionContext(chat, realm);
  const inUse = [...groups.values()].filter(({ deactivated }) => !deactivated);
  return lines.map((line) => {
    const name = line.replace(/^@/, "").trim();
    const group = inUse.find((one) => one.name === name) ??
      inUse.find((one) => one.name.trim().toLowerCase() === name.toLowerCase());
    if (group === undefined) {
      throw new FormRefusal({
        [field]: formatter.t(messages.permissions.noGroup, { name: name.slice(0, 100) }),
      });
    }
    return group.id;
  });
}
