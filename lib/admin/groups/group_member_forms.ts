import { AppError } from "@/lib/core/errors.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/membership.ts";
import { editMembers, type MemberEdits } from "@/lib/chat/user_groups/edit_members.ts";
import { type Done, FormRefusal } from "../admin_page.ts";
import { type AdminRequest, pathId } from "../admin_request.ts";
import { nameOfGroup } from "./group_form.ts";
import type { FormFields } from "../form_fields.ts";
import { findPeople, readPeopleInput } from "../people/find_people.ts";

const NOTHING: MemberEdits = { add: [], delete: [], add_subgroups: [], delete_subgroups: [] };

/** Adds the users that a form names to the page's group; skips its members. */
export async function addPeople(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { formatter, messages } = request;
  const { ids: add, name } = await readAdded(request, fields);
  await edit(request, { ...NOTHING, add });
  return { flash: formatter.t(messages.groups.added, { count: add.length, name }) };
}

/** Users whom a form adds to a group or removes from it, and the group's name. */
interface EditedPeople {
  readonly ids: readonly number[];
  readonly name: string;
}

/**
 * Reads the users whom a form adds to the page's group.
 * @throws FormRefusal.
 */
export async function readAdded(request: AdminRequest, fields: FormFields): Promise<EditedPeople> {
  const { messages } = request;
  const people = await findPeople(request, readPeopleInput(fields, "people"), "people");
  if (people.length === 0) throw new FormRefusal({ people: messages.groups.namesMissing });
  const { members, name } = await readGroup(request);
  const ids = people.map(({ id }) => id).filter((id) => !members.has(id));
  if (ids.length === 0) throw new FormRefusal({ people: messages.groups.allInside });
  return { ids, name };
}

/** Removes the users that a form selects or names from the page's group. */
export async function removePeople(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { formatter, messages } = request;
  const { ids, name } = await readRemoved(request, fields);
  await edit(request, { ...NOTHING, delete: ids });
  return { flash: formatter.t(messages.groups.removed, { count: ids.length, name }) };
}

/**
 * Reads the users whom a form removes from the page's group.
 * @throws FormRefusal.
 */
export async function readRemoved(request: AdminRequest, fields: FormFields): Promise<EditedPeople> {
  const { formatter, messages } = request;
  const named = await findPeople(request, readPeopleInput(fields, "others"), "others");
  const { members, name } = await readGroup(request);
  const stranger = named.find(({ id }) => !members.has(id));
  if (stranger !== undefined) {
    throw new FormRefusal({ others: formatter.t(messages.groups.notInside, { name: stranger.full_name }) });
  }
  // A member whom another administrator removed meanwhile needs no removal.
  const ticked = fields.ints("member").filter((id) => members.has(id));
  const ids = [...new Set([...ticked, ...named.map(({ id }) => id)])];
  if (ids.length === 0) throw new FormRefusal({ form: messages.groups.selectionMissing });
  return { ids, name };
}

async function readGroup(request: AdminRequest): Promise<{ members: ReadonlySet<number>; name: string }> {
  const { chat, realm } = request;
  const group = (await peekPermissionContext(chat, realm)).groups.get(pathId(request));
  return { members: new Set(group?.members), name: group?.name ?? "" };
}

async function edit(request: AdminRequest, edits: MemberEdits): Promise<void> {
  const { chat, caller } = request;
  const groupId = pathId(request);
  await editMembers(chat, caller, { groupId, edits });
}

/** Adds a subgroup to the page's group. */
export async function addGroup(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { formatter, messages } = request;
  const id = fields.int("group");
  if (id === null) throw new FormRefusal({ group: messages.groups.chooseGroup });
  const names = await namesOf(request, id);
  try {
    await edit(request, { ...NOTHING, add_subgroups: [id] });
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "UNAVAILABLE") throw error;
    const isCircle = /already a subgroup of one of the passed/.test(error.message);
    const isInside = /already a subgroup of this group/.test(error.message);
    const { circle, insideAlready } = messages.groups;
    const phrase = isCircle ? circle : isInside ? insideAlready : null;
    throw new FormRefusal({ group: phrase === null ? error.message : formatter.t(phrase, names) });
  }
  return { flash: formatter.t(messages.groups.addedGroup, names) };
}

/** Removes a subgroup from the page's group. */
export async function removeGroup(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { formatter, messages } = request;
  const id = fields.int("group") ?? 0;
  const names = await namesOf(request, id);
  await edit(request, { ...NOTHING, delete_subgroups: [id] });
  return { flash: formatter.t(messages.groups.removedGroup, names) };
}

async function namesOf(request: AdminRequest, inner: number): Promise<{ inner: string; name: string }> {
  const permissions: PermissionContext = await peekPermissionContext(request.chat, request.realm);
  return {
    inner: nameOfGroup(request, permissions, inner),
    name: nameOfGroup(request, permissions, pathId(request)),
  };
}
